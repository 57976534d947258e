#pragma once

#include "core/deployment/planner.h"
#include "core/deployment/worker_mark.h"
#include "core/rows/row_model.h"
#include "features/mapping/lane_layout.h"
#include "features/mapping/lane_wires.h"
#include "features/mapping/mapped_values.h"
#include "shell/fields/parameter_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QUrl>
#include <QVariantMap>

#include <optional>

namespace weir::editor {

class DeploymentRun;
class Session;

// Lists of the mapping view beside its lanes.

/// Way to place blocks on workers.
struct PlacementStrategy {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString about MEMBER about)

  public:
    QString name; ///< name in the project file
    QString title;
    QString about;

    bool operator==(const PlacementStrategy&) const = default;
};

/// Target for the selected blocks.
struct MoveTarget {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString kind MEMBER kind)
    Q_PROPERTY(QString worker MEMBER worker)
    Q_PROPERTY(int cpu MEMBER cpu)

  public:
    QString title;
    QString kind; ///< worker, new, any or cpu
    QString worker = {};
    int cpu = -1;

    bool operator==(const MoveTarget&) const = default;
};

/// Worker with the colour of its blocks.
struct WorkerColour {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(int number MEMBER number)
    Q_PROPERTY(QString cpus MEMBER cpus)

  public:
    QString name;
    int number = 0; ///< number of its colour
    QString cpus;   ///< `0, 2-3`; empty for any

    bool operator==(const WorkerColour&) const = default;
};

/// Plan of the chosen deployment as lanes, and the edits that change it.
class MappingController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(QAbstractItemModel* lanes READ lanes CONSTANT)
    Q_PROPERTY(QAbstractItemModel* bars READ bars CONSTANT)
    /// Parts of a worker schedule other than calls: loops, places in arenas, and rings to other workers.
    Q_PROPERTY(QAbstractItemModel* parts READ parts CONSTANT)
    Q_PROPERTY(QAbstractItemModel* values READ values CONSTANT)
    Q_PROPERTY(int differences READ differences NOTIFY changed)
    Q_PROPERTY(bool active READ isActive WRITE setActive NOTIFY activeChanged)
    Q_PROPERTY(bool colourByWorker READ isColourByWorker WRITE setColourByWorker NOTIFY coloursChanged)
    Q_PROPERTY(QVariantMap blockColours READ blockColours NOTIFY coloursChanged)
    Q_PROPERTY(QAbstractItemModel* workers READ workers CONSTANT)
    Q_PROPERTY(bool unfolded READ isUnfolded WRITE setUnfolded NOTIFY changed)
    Q_PROPERTY(bool onlyUsed READ isOnlyUsed WRITE setOnlyUsed NOTIFY changed)
    Q_PROPERTY(bool hasCopies READ hasCopies NOTIFY changed)
    Q_PROPERTY(bool hasPlan READ hasPlan NOTIFY changed)
    Q_PROPERTY(bool planning READ isPlanning NOTIFY changed)
    Q_PROPERTY(bool measured READ isMeasured NOTIFY changed)
    Q_PROPERTY(QString failure READ failure NOTIFY changed)
    Q_PROPERTY(QString hint READ hint NOTIFY changed)
    Q_PROPERTY(QString machineName READ machineName NOTIFY changed)
    Q_PROPERTY(QString machineSummary READ machineSummary NOTIFY changed)
    Q_PROPERTY(QString machineFile READ machineFile NOTIFY changed)
    Q_PROPERTY(QString strategy READ strategy NOTIFY changed)
    Q_PROPERTY(QString preview READ preview NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* strategies READ strategies CONSTANT)
    Q_PROPERTY(bool canPlace READ canPlace NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* moveTargets READ moveTargets CONSTANT)
    /// Worker that the menu of targets moves; empty: the selected blocks.
    Q_PROPERTY(QString movedWorker READ movedWorker WRITE setMovedWorker NOTIFY changed)
    Q_PROPERTY(QString movedText READ movedText NOTIFY changed)
    Q_PROPERTY(QString selectionText READ selectionText NOTIFY selectionChanged)
    /// Worker whose settings are open, with its Linux policy and priority.
    Q_PROPERTY(QString openedWorker READ openedWorker NOTIFY workerOpened)
    Q_PROPERTY(QAbstractItemModel* workerFields READ workerFields CONSTANT)

  public:
    MappingController(Session& session, DeploymentRun& shown, QObject* parent = nullptr);

    QAbstractItemModel* lanes() { return &m_lanes; }
    QAbstractItemModel* bars() { return &m_bars; }
    QAbstractItemModel* parts() { return &m_parts; }
    // Includes the hidden lanes:
    const std::vector<Lane>& allLanes() const { return m_allLanes; }
    const std::vector<LaneBar>& allBars() const { return m_allBars; }
    const std::vector<LanePart>& allParts() const { return m_allParts; }
    QAbstractItemModel* values() { return &m_values; }
    /// Return the number of values where requested, planned and granted differ.
    int differences() const;
    const std::vector<LaneWire>& wires() const { return m_wires; }
    Planner& planner() { return m_planner; }
    /// Return the drawn plan: the planner's, with the moves that it has not answered yet.
    const PlanView* plan() const;

    bool isActive() const { return m_active; }
    void setActive(bool active);
    /// Set whether something outside the lanes shows the plan.
    void setWatched(bool watched);
    bool isColourByWorker() const { return m_colourByWorker; }
    void setColourByWorker(bool on);
    /// Colour blocks by worker until another run is shown, whose numbers the colours would hide.
    Q_INVOKABLE void colourForMove();
    /// Return block -> number of its first worker, if blocks have the colours of their workers; else empty.
    QVariantMap blockColours() const;
    QAbstractItemModel* workers() { return &m_workers; }
    bool isUnfolded() const { return m_options.unfolded; }
    void setUnfolded(bool on);
    bool isOnlyUsed() const { return m_options.onlyUsed; }
    void setOnlyUsed(bool on);
    bool hasCopies() const;
    bool hasPlan() const { return plan(); }
    bool isPlanning() const { return m_planner.isActive() && !m_planner.isUpToDate(); }
    bool isMeasured() const { return !m_measured.loadOf.isEmpty(); }
    QString failure() const;
    QString hint() const;
    QString machineName() const;
    QString machineSummary() const;
    QString machineFile() const;
    QString strategy() const;
    QString preview() const { return m_planner.preview(); }
    QAbstractItemModel* strategies() { return &m_strategies; }
    bool canPlace() const;
    QAbstractItemModel* moveTargets() { return &m_targets; }
    const QString& movedWorker() const { return m_movedWorker; }
    void setMovedWorker(const QString& worker);
    /// Return the moved worker and its blocks, in words.
    QString movedText() const;
    QString selectionText() const;
    const QString& openedWorker() const { return m_openedWorker; }
    QAbstractItemModel* workerFields() { return &m_workerFields; }
    /// Open the Linux thread settings of a worker in the lanes.
    void openWorker(const QString& worker);
    Q_INVOKABLE void closeWorker();
    /// Return the effect of moving blocks, or the named worker, to a CPU.
    QString cpuTitle(int cpu, const QString& worker = {}) const;
    const QSet<QString>& selection() const { return m_selection; }

    void setWidth(qreal width);
    void setRegion(const LaneRegion& region);
    void select(const QSet<QString>& instances);
    /// Return the effect of a drop, or why it is refused.
    MappingChange changeFor(const DropTarget& target, const QString& worker) const;
    /// Move the selected instances, or the named worker. Returns false if nothing changed.
    bool drop(const DropTarget& target, const QString& worker = {});

    /// Move the selected blocks, or `movedWorker`. `kind`: worker, cpu, new or any; settings opens the worker's
    /// settings.
    Q_INVOKABLE bool moveSelection(const QString& kind, const QString& worker, int cpu);
    /// Remove a worker that a drag left without blocks.
    Q_INVOKABLE void removeWorker(const QString& worker);
    Q_INVOKABLE void loadMachine(const QUrl& file);
    Q_INVOKABLE void thisMachine();
    Q_INVOKABLE void previewStrategy(const QString& strategy);
    Q_INVOKABLE void applyPreview();
    Q_INVOKABLE void discardPreview() { previewStrategy({}); }

  signals:
    void changed();
    void activeChanged();
    void coloursChanged();
    void selectionChanged();
    void workerOpened();

  private:
    void registerActions();
    void listStrategies();
    QString withBlocks(const PlannedWorker& worker) const;
    void listTargets();
    void listWorkers();
    void updateActivity();
    /// Apply the selection of the canvas, which may be older than the plan.
    void followSelection();
    void setSelection(const QSet<QString>& instances);
    void keepAsExplicit();
    void follow();
    void rebuild();
    void rebuildLanes();
    void showWorker();
    QHash<QString, QStringList> threadTexts(const PlanView& plan) const;
    void markSelected();
    void showRegion();
    void keepIdle();
    QHash<QString, WorkerMark> blockWorkers() const;
    void showColours();
    const SchedulerType& scheduler() const;
    QString nameOf(const DropTarget& target, const QString& worker) const;

    Session& m_session;
    const int m_role; ///< role of the block model
    DeploymentRun& m_shown;
    RowModel<PlacementStrategy> m_strategies;
    RowModel<MoveTarget> m_targets;
    RowModel<WorkerColour> m_workers;
    Planner m_planner;
    RowModel<Lane> m_lanes;
    RowModel<LaneBar> m_bars;
    RowModel<LanePart> m_parts;
    std::vector<Lane> m_allLanes;
    std::vector<LaneBar> m_allBars;
    std::vector<LanePart> m_allParts;
    LaneRegion m_region;
    RowModel<MappedValue> m_values;
    MeasuredLoad m_measured;
    LaneOptions m_options;
    std::vector<LaneWire> m_wires;
    QHash<QString, QStringList> m_threads; ///< as shown in the lanes
    std::optional<PlanView> m_pending;
    std::vector<PlannedWorker> m_idle; ///< emptied by drags; the file cannot hold a worker without blocks
    QString m_idleOf;                                ///< their deployment
    std::optional<PlanView> m_withIdle; ///< the planner's plan with these workers
    QSet<QString> m_selection;
    QString m_movedWorker;
    QString m_openedWorker;
    ParameterModel m_workerFields;
    bool m_active = false;
    bool m_isAnswerOfOther = false;  ///< the planner's answer is about the project that was open before
    bool m_colourByWorker = false;
    bool m_coloursUntilRun = false;
    QString m_runBefore;  ///< run that was shown before these colours
    bool m_watched = false;
    bool m_selecting = false;
};

} // namespace weir::editor
