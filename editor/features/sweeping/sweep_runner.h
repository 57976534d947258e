#pragma once

#include "core/ask/ask.h"
#include "core/ask/run_process.h"
#include "core/json/json.h"
#include "core/rows/row_model.h"
#include "features/sweeping/sweep_axis_row.h"
#include "features/sweeping/sweep_drawing.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QUrl>

#include <functional>

namespace weir::editor {

class Results;
class RunController;
class Session;
class SweepDesign;

/// Measures the chosen sweep and shows its results: the figure, the runs behind a point, and a point's settings for the
/// project.
class SweepRunner : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool running READ isRunning NOTIFY changed)
    /// True if the running sweep is the shown one.
    Q_PROPERTY(bool runningHere READ isRunningHere NOTIFY changed)
    Q_PROPERTY(bool stopping READ isStopping NOTIFY changed)
    Q_PROPERTY(QString status READ status NOTIFY changed)
    Q_PROPERTY(QString remaining READ remaining NOTIFY timeChanged)
    /// Progress from 0 to 1; negative if unknown.
    Q_PROPERTY(qreal progress READ progress NOTIFY changed)
    Q_PROPERTY(QString failure READ failure NOTIFY changed)
    Q_PROPERTY(QString hint READ hint NOTIFY changed)
    Q_PROPERTY(bool canBegin READ canBegin NOTIFY changed)
    Q_PROPERTY(bool canGoOn READ canGoOn NOTIFY changed)
    /// True if the chosen sweep has runs.
    Q_PROPERTY(bool shown READ isShown NOTIFY measured)
    /// Path of a sweep opened from elsewhere; empty: the chosen sweep is shown.
    Q_PROPERTY(QString opened READ opened NOTIFY changed)
    /// True while existing runs are read for the first time.
    Q_PROPERTY(bool reading READ isReadingFirst NOTIFY changed)
    Q_PROPERTY(bool complete READ isComplete NOTIFY measured)
    Q_PROPERTY(QString folder READ folder NOTIFY measured)
    Q_PROPERTY(QString summary READ summary NOTIFY measured)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY measured)
    /// Changes in the project since the measurement; empty: none.
    Q_PROPERTY(QString differs READ differs NOTIFY measured)
    Q_PROPERTY(QStringList quantities READ quantities NOTIFY measured)
    Q_PROPERTY(int quantity READ quantity WRITE setQuantity NOTIFY measured)
    Q_PROPERTY(QStringList figures READ figures NOTIFY measured)
    Q_PROPERTY(int figure READ figure WRITE setFigure NOTIFY measured)
    Q_PROPERTY(QString figureTitle READ figureTitle NOTIFY measured)
    /// Explanation of the marks in the figure.
    Q_PROPERTY(QString explanation READ explanation NOTIFY measured)
    /// Point whose runs are listed; -1: none.
    Q_PROPERTY(int chosen READ chosen WRITE choose NOTIFY chosenChanged)
    Q_PROPERTY(QString chosenName READ chosenName NOTIFY chosenChanged)
    Q_PROPERTY(QString chosenText READ chosenText NOTIFY chosenChanged)
    Q_PROPERTY(QAbstractItemModel* runs READ runs CONSTANT)
    Q_PROPERTY(bool canUse READ canUse NOTIFY chosenChanged)

  public:
    SweepRunner(Session& session, RunController& runner, Results& results, SweepDesign& design,
                QObject* parent = nullptr);

    bool isRunning() const { return m_process.isRunning(); }
    bool isRunningHere() const { return isRunning() && m_out == m_folder; }
    bool isStopping() const { return m_stopping; }
    QString status() const;
    QString remaining() const;
    qreal progress() const;
    QString failure() const { return m_failure; }
    QString hint() const { return m_hint; }
    bool canBegin() const;
    bool canGoOn() const;
    bool isShown() const { return m_hasOutline; }
    QString opened() const { return m_opened; }
    bool isReading() const { return m_ask.isBusy(); }
    bool isReadingFirst() const { return !m_hasOutline && m_ask.isBusy(); }
    bool isComplete() const { return m_hasOutline && m_picture.outline.complete; }
    QString folder() const { return m_folder; }
    QString summary() const { return m_picture.outline.summary; }
    QStringList remarks() const { return m_picture.outline.remarks; }
    QString differs() const;
    QStringList quantities() const;
    int quantity() const { return m_picture.quantity; }
    void setQuantity(int quantity);
    QStringList figures() const { return m_picture.figures(); }
    int figure() const { return m_picture.figure; }
    void setFigure(int figure);
    QString figureTitle() const;
    QString explanation() const;
    int chosen() const { return m_picture.chosen; }
    void choose(int point);
    QString chosenName() const;
    QString chosenText() const;
    QAbstractItemModel* runs() { return &m_runs; }
    bool canUse() const { return m_isOwn && !usableRun().isEmpty(); }
    const SweepPicture& picture() const { return m_picture; }

    /// Show the sweep in another folder, given its sweep.json, until another sweep is chosen.
    Q_INVOKABLE void openSweep(const QUrl& file);
    /// Return to the chosen sweep.
    Q_INVOKABLE void closeOpened();
    /// Start the sweep in a new folder.
    Q_INVOKABLE void begin();
    /// Resume a sweep: measure the missing points with the project as it was at the start.
    Q_INVOKABLE void goOn();
    /// Stop and keep the measurements; a second call forces the stop.
    Q_INVOKABLE void stop();
    Q_INVOKABLE void chooseBest();
    /// Go to the results with this run of the chosen point.
    Q_INVOKABLE void open(int run);
    /// Apply the settings of the chosen point to the project, in one step.
    Q_INVOKABLE void use();

  signals:
    /// Emitted to ask for a file.
    void sweepFileNeeded();
    void changed();
    void timeChanged();
    void measured();
    void chosenChanged();

  private:
    void registerActions();
    QString place() const;
    QString newestFolder() const;
    void look();
    void bring();
    void renew();
    void show(const CliAnswer& answer);
    void listRuns();
    void start(const QStringList& arguments, const QByteArray& input);
    void receive(const Json& results, const QString& failure);
    void leaveProject();
    QString usableRun() const;
    const SweepPoint* point() const;

    Session& m_session;
    RunController& m_runner;
    Results& m_results;
    SweepDesign& m_design;
    RunProcess m_process;
    RunProgress m_now;
    QElapsedTimer m_reported;  ///< time since the last progress report; the time left counts down in between
    QElapsedTimer m_renewed;
    QTimer m_tick;
    QString m_said;  ///< last output line other than progress
    QString m_out;  ///< output folder of the running sweep
    QString m_ofRun;  ///< name of the running sweep
    int m_rounds = 0;  ///< rounds of the running sweep
    int m_inRound = 0;
    bool m_stopping = false;
    bool m_isOfOther = false;  ///< the running sweep belongs to a document that was open before
    QString m_failure;
    QString m_hint;
    std::function<void()> m_repeat;  ///< repeats the command, and trusts the flowgraph
    QStringList m_unfiled;  ///< folders of sweeps that began while the project had no file
    Json m_startProject;  ///< the project at the start of the sweep
    // Shown sweep:
    QString m_folder;  ///< empty: no measurements
    QString m_opened;
    QString m_openedIn;  ///< sweep that was chosen at that time
    bool m_isOwn = true;  ///< the shown sweep is of this project
    Ask m_ask;
    int m_state = 0;  ///< increases with each known change in the folder
    bool m_again = false;
    bool m_hasOutline = false;
    SweepPicture m_picture;
    RowModel<SweepRunRow> m_runs;
};

}  // namespace weir::editor
