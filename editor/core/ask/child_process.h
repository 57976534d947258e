#pragma once

#include <QProcess>

namespace weir::editor {

/// A process of the command line, in a group of its own: what it started in turn ends with it, as Ctrl-C would end it.
/// Destroyed while it runs, it is asked to end, then made to, and nobody hears of it.
class ChildProcess : public QProcess {
  public:
    explicit ChildProcess(QObject* parent);
    ~ChildProcess() override;

    /// The answer would be late: nobody hears of it, and the object goes once the process is gone.
    void drop();
    void signalGroup(int signal) const;
    /// Sends the signal, and kills what has not followed it in time.
    void end(int signal, int patienceMs);
};

} // namespace weir::editor
