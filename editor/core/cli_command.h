#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

#include <functional>

namespace weir::editor {

/// How the command line is started: a program and the arguments before the verb.
struct CliCommand
{
    QString program;
    QStringList arguments;

    bool isEmpty() const { return program.isEmpty(); }
    /// Splits a command as a shell would, quotes included.
    static CliCommand parse(const QString &command);
    /// From the argument, else WEIR_CLI, else `weir` on PATH.
    static CliCommand find(const QString &argument);
};

struct CliAnswer
{
    bool started = false;
    bool crashed = false;
    int exitCode = 0;
    QByteArray output;
    QByteArray errors;
    QString failure; ///< why it did not start

    /// What to tell the user when the answer is not usable.
    QString explanation() const;
};

/// Starts a verb and calls `done` once with the answer; the process belongs to `owner` and ends with it.
QProcess *callCli(const CliCommand &command, const QStringList &arguments, const QByteArray &input, const QString &folder,
                  QObject *owner, std::function<void(const CliAnswer &)> done);

} // namespace weir::editor
