#pragma once

#include "core/ask/run_process.h"
#include "features/run/log_model.h"
#include "features/run/run_options.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace weir::editor {

class Session;

/// Runs the project as it is now, saved or not. What was measured is in the run directories.
class RunController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY stateChanged)
    /// True if the run is of the shown project: a run goes on when another project is opened.
    Q_PROPERTY(bool runningHere READ isRunningHere NOTIFY stateChanged)
    /// The program of what is shown is at work: it is compiled and verified, and not yet analysed.
    Q_PROPERTY(bool measuring READ isMeasuring NOTIFY stateChanged)
    Q_PROPERTY(bool stopping READ isStopping NOTIFY stateChanged)
    /// Progress, or how the last run ended, in one line. A failure stays until something of the run is edited.
    Q_PROPERTY(QString status READ status NOTIFY stateChanged)
    /// "" before the first run; then running, waiting, stopping, ok, failed, refused where the project cannot run, partial where
    /// it was stopped, and stopped where nothing was measured until then.
    Q_PROPERTY(QString state READ state NOTIFY stateChanged)
    /// True if the last run has a warning.
    Q_PROPERTY(bool warned READ isWarned NOTIFY stateChanged)
    /// Part of the window with the details: `log`, `problems` or `results`.
    Q_PROPERTY(QString told READ told NOTIFY stateChanged)
    Q_PROPERTY(QString phase READ phase NOTIFY stateChanged)
    /// Deployment that runs, if it is one and another one is chosen.
    Q_PROPERTY(QString otherDeployment READ otherDeployment NOTIFY stateChanged)
    /// Number of runs of the command under way; 0 before it has reported it.
    Q_PROPERTY(int runs READ runs NOTIFY stateChanged)
    Q_PROPERTY(QString rate READ rate NOTIFY stateChanged)
    Q_PROPERTY(QString elapsed READ elapsed NOTIFY timeChanged)
    Q_PROPERTY(QString remaining READ remaining NOTIFY timeChanged)
    Q_PROPERTY(qreal progress READ progress NOTIFY stateChanged)
    Q_PROPERTY(QString failure READ failure NOTIFY stateChanged)
    /// True if the list of problems says why the last run failed.
    Q_PROPERTY(bool explained READ isExplained NOTIFY stateChanged)
    Q_PROPERTY(QString folder READ folder NOTIFY stateChanged)
    /// True if the user has to decide about the run before the program ends.
    Q_PROPERTY(bool askingToQuit READ isAskingToQuit NOTIFY askingToQuitChanged)
    /// True if the user said yes: the run is being stopped, and the program ends after it.
    Q_PROPERTY(bool quitting READ isQuitting NOTIFY askingToQuitChanged)
    Q_PROPERTY(weir::editor::RunOptions* options READ options CONSTANT)
    Q_PROPERTY(QAbstractItemModel* log READ log CONSTANT)
    /// Warnings in the log.
    Q_PROPERTY(int remarks READ remarks NOTIFY stateChanged)
    Q_PROPERTY(QString logFilter READ logFilter WRITE setLogFilter NOTIFY logFilterChanged)

  public:
    explicit RunController(Session& session, QObject* parent = nullptr);

    bool isRunning() const { return m_process.isRunning(); }
    bool isRunningHere() const { return isRunning() && !m_otherProject; }
    bool isMeasuring() const;
    bool isStopping() const { return m_stopping; }
    QString status() const;
    QString state() const { return m_state; }
    QString phase() const;
    QString otherDeployment() const;
    QString rate() const;
    QString elapsed() const;
    QString remaining() const;
    /// 0 to 1, negative while unknown.
    qreal progress() const { return m_progress; }
    QString failure() const { return m_failure; }
    int runs() const { return isRunning() ? static_cast<int>(m_runs) : 0; }
    bool isWarned() const { return m_warned; }
    QString told() const;
    bool isExplained() const;
    /// Folder of the run directories of the present document: beside it, unless another folder is set.
    QString folder() const;
    void setFolder(const QString& folder);
    bool hasFolder() const { return !m_folder.isEmpty(); }
    bool isAskingToQuit() const { return m_askingToQuit; }
    bool isQuitting() const { return m_askingToQuit && m_process.isHurried(); }
    RunOptions* options() { return &m_options; }
    QAbstractItemModel* log() { return &m_shownLog; }
    int remarks() const { return m_isLogOfOther ? 0 : m_log.warnings(); }
    QString logFilter() const { return m_shownLog.wanted(); }
    void setLogFilter(const QString& text);

    Q_INVOKABLE void run();
    /// All deployments of the project in turns, so often each: what a comparison needs.
    Q_INVOKABLE void runRepeated(int times);
    /// One deployment, with options of `weir run` besides those that say what is measured.
    void runOnce(const QString& deployment, const QStringList& options);
    Q_INVOKABLE void cancel();
    /// Compiles only.
    Q_INVOKABLE void build();
    Q_INVOKABLE void clearLog();
    Q_INVOKABLE void copyLog() const;
    /// True: nothing runs, the program may end. Else the user is asked.
    Q_INVOKABLE bool mayQuit();
    /// `stop`: ends the run, then the program; once more: at once. Else the program stays, and a run that was not told to
    /// end goes on.
    Q_INVOKABLE void answerQuit(bool stop);
    /// The directories of the runs that this document made while it had no file.
    const QStringList& unfiled() const { return m_unfiled; }
    /// Takes over the unfiled runs of an editor that crashed, as listed in a file: those that still exist where runs go
    /// move with the document.
    void recoverUnfiled(const QStringList& runs);
    /// Return whether the run is of this deployment of this project; a project without one runs as kOwnDeployment.
    bool runsSeveral() const { return isRunningHere() && m_deployments.size() > 1; }
    bool runs(const QString& deployment) const { return isRunningHere() && m_deployments.contains(deployment); }
    /// The newest run of the deployment that was made from here, also before the list of runs has it; empty for none.
    QString lastRun(const QString& deployment) const { return m_measured.value(deployment); }

  signals:
    void stateChanged();
    void unfiledChanged();
    void timeChanged();
    void askingToQuitChanged();
    void logFilterChanged();
    void started();
    void finished();
    /// The run that stood in the way of quitting has ended.
    void quitRequested();

  private:
    void registerActions();
    void start(const QString& verb, const QStringList& deployments, const QStringList& options);
    void showProgress(const RunProgress& progress);
    void receive(const Json& results, const QString& failure);
    void leaveProject();
    void setUnfiled(const QStringList& runs);
    /// Drops the failure of a project that is no longer open; the log has it.
    void forgetFailure();
    void explain(const Json& results);
    void bring(const Json& results);
    void remember(const Json& results);

    Session& m_session;
    RunProcess m_process;
    LogModel m_log;
    LogFilter m_shownLog;
    RunOptions m_options;
    QElapsedTimer m_elapsed;
    QElapsedTimer m_reported;  ///< since the last progress: what remains counts down between two
    QTimer m_tick;
    RunProgress m_now;
    QStringList m_unfiled;
    QHash<QString, QString>
        m_measured;  ///< the newest run of each deployment, as far as this project's were run from here
    QStringList m_deployments;
    QString m_folder;  ///< that was asked for
    QString m_out;  ///< where the run goes
    bool m_isUnfiled = false;  ///< the project had no file when it began
    QString m_ended;  ///< how the last run ended
    QString m_state;
    QString m_failure;
    bool m_warned = false;
    bool m_isInResults = false;  ///< what ended has numbers there, and what is said of it
    qreal m_progress = -1;
    double m_runs = 0;  ///< of this command, and how many of them are done
    double m_runsDone = 0;
    QElapsedTimer m_runsElapsed;  ///< since the first of them began
    double m_doneAfter = 0;  ///< s, by which so many were done
    bool m_stopping = false;
    bool m_askingToQuit = false;
    Json m_ran;  ///< the project as it was run
    bool m_isLogOfOther = false;  ///< what it says is of a document that was here before
    bool m_otherProject = false;  ///< what runs is of the document that was here before
};

}  // namespace weir::editor
