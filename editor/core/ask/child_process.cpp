#include "core/ask/child_process.h"

#include <unistd.h>
#include <csignal>

namespace weir::editor {
namespace {

constexpr int kPatienceMs = 200; ///< a window that closes does not wait longer

} // namespace

ChildProcess::ChildProcess(QObject* parent) : QProcess(parent) {
    setChildProcessModifier([] {
        ::setpgid(0, 0);
        // A window that was started in the background of a script ignores it, and so would who is asked by it to stop.
        ::signal(SIGINT, SIG_DFL);
    });
}

ChildProcess::~ChildProcess() { end(SIGTERM, kPatienceMs); }

void ChildProcess::drop() {
    disconnect();
    if (state() == NotRunning) {
        deleteLater();
        return;
    }
    connect(this, &QProcess::finished, this, &QObject::deleteLater);
    signalGroup(SIGKILL);
}

void ChildProcess::signalGroup(int signal) const {
    const auto id = static_cast<pid_t>(processId());
    if (id > 0 && ::kill(-id, signal) != 0) ::kill(id, signal);  // it has no group yet
}

void ChildProcess::end(int signal, int patienceMs) {
    disconnect();
    if (state() == NotRunning) return;
    signalGroup(signal);
    if (waitForFinished(patienceMs)) return;
    signalGroup(SIGKILL);
    waitForFinished();
}

}  // namespace weir::editor
