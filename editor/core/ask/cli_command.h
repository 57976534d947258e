#pragma once

#include <QPointer>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>

namespace weir::editor {

/// Process of the command line, in its own process group: its children end with it, as after Ctrl-C. If destroyed while
/// it runs, it is interrupted, then killed, and reports nothing.
class ChildProcess : public QProcess {
  public:
    explicit ChildProcess(QObject* parent);
    ~ChildProcess() override;

    /// Discards the answer; the object deletes itself once the process has ended.
    void drop();
    void signalGroup(int signal) const;
    /// Sends the signal, and kills the group if it has not ended in time.
    void end(int signal, int patienceMs);
};

/// Start of a command line: a program, the arguments before the verb, and the folders of blocks, schedulers and targets
/// outside the tree for every verb that knows blocks.
struct CliCommand {
    QString program;
    QStringList arguments;
    QStringList libraries = {};  ///< options after those of the verb

    bool isEmpty() const { return program.isEmpty(); }
    /// Return all arguments of the program for a verb with its own arguments.
    QStringList argumentsFor(const QStringList& verb) const;
    /// Adds folders of blocks, schedulers and targets; verbs run in the project's folder, so they get absolute paths.
    void addExtensions(const QStringList& folders);
    /// Splits a command as a shell does, quotes included.
    static CliCommand parse(const QString& command);
    /// Return the command from the argument, else WEIR_CLI, else `weir` on PATH.
    static CliCommand find(const QString& argument);
};

/// A verb, its standard input, its working directory, and its limits.
struct CliRequest {
    QStringList arguments = {};
    QByteArray input = {};
    QString folder = {};
    std::chrono::milliseconds patience = std::chrono::minutes(1);
    qint64 mostBytes = qint64{64} << 20;  ///< limit of each of its outputs
};

struct CliAnswer {
    bool crashed = false;
    int exitCode = 0;
    QByteArray output = {};
    QByteArray errors = {};
    QString failure = {};  ///< why there is no answer: it did not start, timed out, or exceeded `mostBytes`

    bool isFine() const { return failure.isEmpty() && !crashed && exitCode == 0; }
    /// Return the message for the user if the answer is not usable.
    QString explanation() const;
};

/// Return why the process did not start.
QString doesNotStart(const CliCommand& command, const QProcess& process);

/// Starts a verb and calls `done` once with the answer; the process belongs to `owner` and ends with it.
ChildProcess* callCli(const CliCommand& command, const CliRequest& request, QObject* owner,
                      std::function<void(const CliAnswer&)> done);

/// Ends a call whose answer is no longer needed, without a callback. The object stays until its process has ended.
void abandonCall(QPointer<ChildProcess>& process);

}  // namespace weir::editor
