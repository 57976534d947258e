#pragma once

#include "core/ask/cli_command.h"
#include "core/json/json.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace weir::editor {

struct RunProgress {
    QString phase;
    double done = 0;
    double total = 0;
    double secondsLeft = -1; ///< negative: unknown
    double itemsPerSecond = 0;
    QString deployment = {}; ///< the deployment of the phase; empty if not reported
    int left = -1;           ///< candidates that a search may still measure; negative: unknown
};

/// One `weir` process that reports progress: `run`, `build`, `tune`, `sweep`.
class RunProcess : public QObject {
    Q_OBJECT

  public:
    explicit RunProcess(QObject* parent = nullptr);
    ~RunProcess() override;

    bool isRunning() const { return m_process; }
    /// `input`: standard input of the process.
    void start(const CliCommand& command, const QStringList& arguments, const QString& folder,
               const QByteArray& input = {});
    /// Cancels like Ctrl-C in a terminal and keeps a partial result. Escalates if no answer comes for a while. Each
    /// further call escalates one step: it interrupts again, then kills the process.
    void cancel();
    /// Cancels with a short timeout, because the user waits to quit. A second call kills the process at once.
    void endSoon();
    /// The user no longer waits to quit: the process still ends, but with the timeouts of `cancel`.
    void takeTime();
    bool isHurried() const { return m_hurried; }
    /// Ends the process and waits for it; called when the editor itself ends.
    void endNow();
    /// Return the output of a failed verb with `--json`: `{"ok": false, "diagnostics": […]}`; null without output.
    const Json& diagnostics() const { return m_diagnostics; }

  signals:
    void progressed(const weir::editor::RunProgress& progress);
    void logged(const QString& line);
    /// Lines that arrived together.
    void loggedLines(const QStringList& lines);
    /// `results` is null if there are none; `failure` says why and is empty on success.
    void finished(const weir::editor::Json& results, const QString& failure);

  private:
    void readErrors();
    /// Returns a line for people; emits the signal for a progress object.
    QString receiveLine(const QByteArray& line);
    void tell(const QStringList& lines);
    void insist();
    void receive(const CliAnswer& answer);

    QPointer<ChildProcess> m_process;
    QByteArray m_pending;
    QTimer m_insist;
    Json m_diagnostics;
    int m_cancelled = 0;  ///< number of interrupts sent
    bool m_hurried = false;
    bool m_expectsResults = false;
    bool m_expectsAnswer = false;  ///< one object, not a list of runs
};

}  // namespace weir::editor
