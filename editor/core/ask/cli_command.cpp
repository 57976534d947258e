#include "core/ask/cli_command.h"

#include "core/text/prose.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTimer>

#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <memory>

namespace weir::editor {
namespace {

constexpr int kPatienceMs = 200; ///< a closing window waits no longer

/// Verbs about runs and filters, which refuse the options of libraries.
const QStringList kWithoutLibraries{QStringLiteral("design"), QStringLiteral("report"), QStringLiteral("runs")};

} // namespace

ChildProcess::ChildProcess(QObject* parent) : QProcess(parent) {
    setChildProcessModifier([] {
        ::setpgid(0, 0);
        // A window started in the background by a script ignores SIGINT, and its child would inherit that.
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

QStringList CliCommand::argumentsFor(const QStringList& verb) const {
    return arguments + verb + (kWithoutLibraries.contains(verb.value(0)) ? QStringList() : libraries);
}

CliCommand CliCommand::parse(const QString& command) {
    QStringList parts = QProcess::splitCommand(command);
    if (parts.isEmpty()) return {};
    const QString program = parts.takeFirst();
    return {program, parts};
}

CliCommand CliCommand::find(const QString& argument) {
    const QString given = argument.isEmpty() ? qEnvironmentVariable("WEIR_CLI") : argument;
    const QString command = given.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("weir")) : given;
    // The path of a program may contain spaces: split the command only if it is no such path.
    return QFileInfo(command).isExecutable() && !QFileInfo(command).isDir() ? CliCommand{command, {}} : parse(command);
}

void CliCommand::addExtensions(const QStringList& folders) {
    for (const QString& folder : folders)
        libraries << QStringLiteral("--extensions") << QFileInfo(folder).absoluteFilePath();
}

QString doesNotStart(const CliCommand& command, const QProcess& process) {
    return QCoreApplication::translate("CliAnswer", "%1 does not start: %2")
        .arg(command.isEmpty() ? QStringLiteral("weir") : command.program, process.errorString());
}

QString CliAnswer::explanation() const {
    if (!failure.isEmpty()) return failure;
    if (crashed) return QCoreApplication::translate("CliAnswer", "the weir command was killed or crashed");
    const QString said = QString::fromUtf8(errors.trimmed());
    // "FILE: error CODE: message", with a hint on the next line
    static const QRegularExpression diagnostic(QStringLiteral(": error E_[A-Z_]+: (.+)"));
    if (const auto match = diagnostic.match(said); match.hasMatch()) return prose(match.captured(1));
    return QCoreApplication::translate("CliAnswer", "the weir command ended with code %1: %2")
        .arg(exitCode)
        .arg(prose(said.section(u'\n', -1)));
}

ChildProcess* callCli(const CliCommand& command, const CliRequest& request, QObject* owner,
                      std::function<void(const CliAnswer&)> done) {
    auto* process = new ChildProcess(owner);
    process->setWorkingDirectory(request.folder);
    const auto answered = std::make_shared<bool>(false);
    const auto finish = [process, answered, asker = QPointer<QObject>(owner),
                         done = std::move(done)](const CliAnswer& answer) {
        // If the owner was destroyed, nobody takes the answer.
        if (std::exchange(*answered, true) || !asker) return;
        process->drop();
        done(answer);
    };
    QObject::connect(process, &QProcess::finished, process, [process, finish](int code, QProcess::ExitStatus status) {
        finish(
            {status == QProcess::CrashExit, code, process->readAllStandardOutput(), process->readAllStandardError()});
    });
    QObject::connect(
        process, &QProcess::errorOccurred, process,
        [process, finish, command](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) finish({.failure = doesNotStart(command, *process)});
        },
        Qt::QueuedConnection);  // some failures occur before `start` returns, when no answer is expected yet
    const auto giveUpOn = [process, finish, most = request.mostBytes](QProcess::ProcessChannel channel) {
        process->setReadChannel(channel);
        if (process->bytesAvailable() > most)
            finish({.failure = QCoreApplication::translate(
                                   "CliAnswer", "the weir command printed more than %1 MB, so the editor stopped it")
                                   .arg(std::max(most >> 20, qint64{1}))});
    };
    QObject::connect(process, &QProcess::readyReadStandardOutput, process,
                     [giveUpOn] { giveUpOn(QProcess::StandardOutput); });
    QObject::connect(process, &QProcess::readyReadStandardError, process,
                     [giveUpOn] { giveUpOn(QProcess::StandardError); });
    QTimer::singleShot(request.patience, process, [finish, patience = request.patience] {
        finish({.failure = QCoreApplication::translate(
                               "CliAnswer", "the weir command did not answer within %1 s, so the editor stopped it")
                               .arg(static_cast<double>(patience.count()) / 1000)});
    });
    process->start(command.program, command.argumentsFor(request.arguments));
    if (!request.input.isEmpty() && process->isOpen()) process->write(request.input);
    process->closeWriteChannel();
    return process;
}

void abandonCall(QPointer<ChildProcess>& process) {
    if (process) process->drop();
    process.clear();
}

}  // namespace weir::editor
