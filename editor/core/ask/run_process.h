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
    double secondsLeft = -1; ///< negative while unknown
    double itemsPerSecond = 0;
    QString deployment = {}; ///< what the phase is about; empty where that is not said
    int left = -1;           ///< of a search: candidates that may still be measured; negative while unknown
};

/// One `weir` process that reports progress: `run`, `build`, `tune`, `sweep`.
class RunProcess : public QObject {
    Q_OBJECT

  public:
    explicit RunProcess(QObject* parent = nullptr);
    ~RunProcess() override;

    bool isRunning() const { return m_process; }
    /// `input`: what it reads from standard input.
    void start(const CliCommand& command, const QStringList& arguments, const QString& folder,
               const QByteArray& input = {});
    /// Cancels like Ctrl-C in a terminal and keeps a partial result. Insists if no answer comes for a while.
    /// Each further call goes one step further: it asks again, then ends the process.
    void cancel();
    /// Cancels and leaves only a moment, because the user waits to quit. A second call ends the process at once.
    void endSoon();
    /// Nobody waits any more: it ends all the same, but as after `cancel`.
    void takeTime();
    bool isHurried() const { return m_hurried; }
    /// Ends the process and waits for it: for the end of the editor itself.
    void endNow();
    /// Return the output of a failed verb with `--json`: `{"ok": false, "diagnostics": […]}`; null without output.
    const Json& diagnostics() const { return m_diagnostics; }

  signals:
    void progressed(const weir::editor::RunProgress& progress);
    void logged(const QString& line);
    /// Every line that came at once.
    void loggedLines(const QStringList& lines);
    /// `results` is null when there are none; `failure` says why, empty on success.
    void finished(const weir::editor::Json& results, const QString& failure);

  private:
    void readErrors();
    /// A line for people is returned, a progress object announced.
    QString receiveLine(const QByteArray& line);
    void tell(const QStringList& lines);
    void insist();
    void receive(const CliAnswer& answer);

    QPointer<ChildProcess> m_process;
    QByteArray m_pending;
    QTimer m_insist;
    Json m_diagnostics;
    int m_cancelled = 0;  ///< how often it was asked to end
    bool m_hurried = false;
    bool m_expectsResults = false;
    bool m_expectsAnswer = false;  ///< an object, and not a list of runs
};

}  // namespace weir::editor
