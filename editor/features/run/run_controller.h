#pragma once

#include "core/ask/run_process.h"
#include "features/run/log_model.h"
#include "features/run/run_options.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace weir::editor {

class Session;

/// Runs the present project, saved or not. The results are in the run directories.
class RunController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY stateChanged)
    /// True if the run is of the shown project: a run continues when another project is opened.
    Q_PROPERTY(bool runningHere READ isRunningHere NOTIFY stateChanged)
    /// True while the program of the shown graph runs: after compiling and verification, before the analysis.
    Q_PROPERTY(bool measuring READ isMeasuring NOTIFY stateChanged)
    Q_PROPERTY(bool stopping READ isStopping NOTIFY stateChanged)
    /// Progress, or the end of the last run, in one line. A failure stays until its cause is edited.
    Q_PROPERTY(QString status READ status NOTIFY stateChanged)
    /// "" before the first run; then running, waiting, stopping, ok, failed, refused (the project cannot run), partial
    /// (stopped with some results), stopped (no results), or asking (whether the user trusts the flowgraph).
    Q_PROPERTY(QString state READ state NOTIFY stateChanged)
    /// True if the last run has a warning.
    Q_PROPERTY(bool warned READ isWarned NOTIFY stateChanged)
    /// Part of the window with the details: `log`, `problems` or `results`.
    Q_PROPERTY(QString detailsPart READ detailsPart NOTIFY stateChanged)
    Q_PROPERTY(QString phase READ phase NOTIFY stateChanged)
    /// Running deployment, if it is a single one and not the chosen one.
    Q_PROPERTY(QString otherDeployment READ otherDeployment NOTIFY stateChanged)
    /// Number of runs of the active command; 0 until it has reported it.
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
    /// Number of warnings in the log.
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
    /// Return the progress from 0 to 1; negative if unknown.
    qreal progress() const { return m_progress; }
    QString failure() const { return m_failure; }
    int runs() const { return isRunning() ? static_cast<int>(m_runs) : 0; }
    bool isWarned() const { return m_warned; }
    QString detailsPart() const;
    bool isExplained() const;
    /// Return the folder of the document's run directories: beside it, unless another folder is set.
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
    /// Run each deployment of the project `times` times, in turns, as a comparison requires.
    Q_INVOKABLE void runRepeated(int times);
    /// Run one deployment, with additional options of `weir run` that do not select what is measured.
    void runOnce(const QString& deployment, const QStringList& options);
    Q_INVOKABLE void cancel();
    /// Compile without a run.
    Q_INVOKABLE void build();
    Q_INVOKABLE void clearLog();
    Q_INVOKABLE void copyLog() const;
    /// Return true if nothing runs and the program may end; else ask the user.
    Q_INVOKABLE bool mayQuit();
    /// `stop`: stop the run, then end the program; a second call stops it at once. Otherwise the program stays, and a
    /// run that is not being stopped continues.
    Q_INVOKABLE void answerQuit(bool stop);
    /// Return the directories of the runs made while this document had no file.
    const QStringList& unfiled() const { return m_unfiled; }
    /// Take over the unfiled runs of an editor that crashed, as listed in a file. Those that still exist in the folder
    /// of runs move with the document.
    void recoverUnfiled(const QStringList& runs);
    /// Return whether the active command runs several deployments of the shown project.
    bool runsSeveral() const { return isRunningHere() && m_deployments.size() > 1; }
    /// Return whether it runs this deployment of the shown project; a project without one runs as kOwnDeployment.
    bool runs(const QString& deployment) const { return isRunningHere() && m_deployments.contains(deployment); }
    /// Return the deployment's newest run made here, even before the list of runs has it; empty: none.
    QString lastRun(const QString& deployment) const { return m_measured.value(deployment); }

  signals:
    void stateChanged();
    void unfiledChanged();
    void timeChanged();
    void askingToQuitChanged();
    void logFilterChanged();
    void started();
    void finished();
    /// Emitted when the run that delayed quitting has ended.
    void quitRequested();

  private:
    void registerActions();
    void start(const QString& verb, const QStringList& deployments, const QStringList& options);
    void showProgress(const RunProgress& progress);
    void receive(const Json& results, const QString& failure);
    /// Drop what the log says besides the command.
    void keepCommandInLog();
    /// Note that the user does not trust the flowgraph.
    void followTrust();
    void leaveProject();
    void setUnfiled(const QStringList& runs);
    /// Drop the failure of a project that is no longer open; the log keeps it.
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
    QElapsedTimer m_reported;  ///< since the last progress: the time left counts down in between
    QTimer m_tick;
    RunProgress m_now;
    QStringList m_unfiled;
    QHash<QString, QString> m_measured;  ///< newest run of each deployment of this project, made here
    QStringList m_deployments;
    QString m_folder;  ///< set by the user; empty: the default
    QString m_out;  ///< output folder of the run
    bool m_isUnfiled = false;  ///< the project had no file when the run began
    QString m_ended;  ///< how the last run ended
    QString m_state;
    QString m_failure;
    bool m_warned = false;
    bool m_isInResults = false;  ///< the Results page has numbers of the last run, and the warnings
    qreal m_progress = -1;
    double m_runs = 0;  ///< number of runs of this command; m_runsDone of them are done
    double m_runsDone = 0;
    QElapsedTimer m_runsElapsed;  ///< since the first of them began
    double m_doneAfter = 0;  ///< s, time at which m_runsDone were done
    bool m_stopping = false;
    bool m_askingToQuit = false;
    std::function<void()> m_again;  ///< repeats the command, and trusts the flowgraph
    Json m_ran;  ///< the project that was run
    bool m_isLogOfOther = false;  ///< the log is about a previous document
    bool m_otherProject = false;  ///< the run is of a previous document
};

}  // namespace weir::editor
