#pragma once

#include "cli_command.h"
#include "json.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

namespace weir::editor {

struct RunProgress
{
    QString phase;
    double done = 0;
    double total = 0;
    double secondsLeft = -1; ///< negative while unknown
    double itemsPerSecond = 0;
};

/// One `weir` process that reports progress: `run`, later `build` and `sweep`.
class RunProcess : public QObject
{
    Q_OBJECT

public:
    explicit RunProcess(QObject *parent = nullptr);
    ~RunProcess() override;

    bool isRunning() const { return m_process; }
    void start(const CliCommand &command, const QStringList &arguments, const QString &folder);
    /// As Ctrl-C in a terminal: what was measured so far is a partial result. Insists if nothing happens.
    void cancel();

signals:
    void progressed(const weir::editor::RunProgress &progress);
    void logged(const QString &line);
    /// `results` is null when there are none; `failure` says why, empty on success.
    void finished(const weir::editor::Json &results, const QString &failure);

private:
    void readErrors();
    void receiveLine(const QByteArray &line);
    void receive(const CliAnswer &answer);

    QPointer<QProcess> m_process;
    QByteArray m_pending;
    QTimer m_insist;
    bool m_cancelled = false;
    bool m_expectsResults = false;
};

} // namespace weir::editor
