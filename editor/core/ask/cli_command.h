#pragma once

#include <QPointer>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>

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

/// Start of the command line: a program, the arguments before the verb, and the folders of blocks, schedulers and
/// targets outside the tree for every verb that knows blocks.
struct CliCommand {
    QString program;
    QStringList arguments;
    QStringList libraries = {};  ///< options that follow a verb's own

    bool isEmpty() const { return program.isEmpty(); }
    /// All arguments of the program, for a verb and its own.
    QStringList argumentsFor(const QStringList& verb) const;
    /// Adds folders of blocks, schedulers and targets; verbs run in the project's folder, so they get absolute paths.
    void addExtensions(const QStringList& folders);
    /// Splits a command as a shell would, quotes included.
    static CliCommand parse(const QString& command);
    /// From the argument, else WEIR_CLI, else `weir` on PATH.
    static CliCommand find(const QString& argument);
};

/// A verb, what it reads from standard input, and where it works; and what is no answer any more.
struct CliRequest {
    QStringList arguments = {};
    QByteArray input = {};
    QString folder = {};
    std::chrono::milliseconds patience = std::chrono::minutes(1);
    qint64 mostBytes = qint64{64} << 20;  ///< on each of its outputs
};

struct CliAnswer {
    bool crashed = false;
    int exitCode = 0;
    QByteArray output = {};
    QByteArray errors = {};
    QString failure = {};  ///< why there is no answer: it did not start, took too long, or said too much

    bool isFine() const { return failure.isEmpty() && !crashed && exitCode == 0; }
    /// Return the message for the user if the answer is not usable.
    QString explanation() const;
};

/// Return why the process did not start.
QString doesNotStart(const CliCommand& command, const QProcess& process);

/// Starts a verb and calls `done` once with the answer; the process belongs to `owner` and ends with it.
ChildProcess* callCli(const CliCommand& command, const CliRequest& request, QObject* owner,
                      std::function<void(const CliAnswer&)> done);

/// Ends a call whose answer would be late; nobody is told. The object stays until its process is gone.
void abandonCall(QPointer<ChildProcess>& process);

}  // namespace weir::editor
