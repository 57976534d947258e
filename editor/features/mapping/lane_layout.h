#pragma once

#include "core/deployment/machine.h"
#include "core/deployment/mapping_edits.h"
#include "core/deployment/plan_view.h"
#include "core/problems/problem_model.h"
#include "core/rows/row_model.h"

#include <QHash>
#include <QObject>
#include <QRectF>
#include <QSet>
#include <QString>
#include <QStringList>

#include <functional>

namespace weir::editor {

/// Part of a worker schedule besides the calls: the repetitions of a loop, a place in the arena, or a ring to
/// other workers.
struct LanePart {
    Q_GADGET
    Q_PROPERTY(QString kind MEMBER kind)
    Q_PROPERTY(QString key MEMBER key)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString detail MEMBER detail)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(bool shared MEMBER shared)
    Q_PROPERTY(bool selected MEMBER selected)
    Q_PROPERTY(QRectF rect MEMBER rect)

  public:
    QString kind = {}; ///< loop, place or ring
    QString key = {};  ///< no other part of any row has it
    QString title = {};
    QString detail = {};
    QString text = {};           ///< all that there is to tell, in lines
    QStringList instances = {};  ///< that it belongs to: those in the loop, writers and readers of the streams
    QStringList writers = {};    ///< that are selected with it
    QStringList to = {};         ///< of a ring: the workers that read it
    qint64 bytes = 0;            ///< of a ring
    bool shared = false;         ///< several streams have bytes of the place
    bool selected = false;
    QRectF rect = {}; ///< from the upper left corner of the whole view

    bool operator==(const LanePart&) const = default;
};

/// A loop around bars, or the part of it that one line has.
struct LaneFrame {
    QRectF rect = {};
    bool begins = true;
    bool ends = true;

    bool operator==(const LaneFrame&) const = default;
};

/// Measurements of a run of the deployment. Empty before the first one.
struct MeasuredLoad {
    QHash<QString, double> shareOf;  ///< instance: part of the run that it worked
    QHash<QString, double> loadOf;   ///< worker: processor time per elapsed time

    bool operator==(const MeasuredLoad&) const = default;
};

MeasuredLoad measuredLoad(const Json* result, const QString& deployment);

/// A loop of a schedule; `number` tells loops of one worker apart.
struct LaneLoop {
    int number = 0;
    qint64 times = 1;

    bool operator==(const LaneLoop&) const = default;
};

/// A block, or several of its copies, as a bar; with a schedule, one call of it. `ghost`: where it was before the planner
/// has answered.
struct LaneBar {
    Q_GADGET
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString block MEMBER block)
    Q_PROPERTY(QString type MEMBER type)
    Q_PROPERTY(QString category MEMBER category)
    Q_PROPERTY(QString worker MEMBER worker)
    Q_PROPERTY(int colour MEMBER colour)
    Q_PROPERTY(double share MEMBER share)
    Q_PROPERTY(bool ghost MEMBER ghost)
    Q_PROPERTY(bool selected MEMBER selected)
    Q_PROPERTY(qint64 times MEMBER times)
    Q_PROPERTY(int call MEMBER call)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(QRectF rect MEMBER rect)

  public:
    QStringList instances = {};
    QString block = {};
    QString title = {};
    QRectF rect = {};  ///< from the upper left corner of the whole view
    double share = -1;
    bool ghost = false;
    int call = -1;  ///< its place among the calls of its worker; -1: there is no schedule
    qint64 times = 0;  ///< firings a call; 0: there is no schedule
    std::vector<LaneLoop> loops = {};  ///< around it, the outermost first
    bool together = false;  ///< the instances fire in one call, in one loop over their items
    QString text = {};  ///< what there is to tell of the call
    // Additions of the lanes:
    QString type = {};  ///< of the block
    QString category = {};
    QString worker = {};
    int colour = -1;
    bool selected = false;

    bool operator==(const LaneBar&) const = default;
};

/// A worker within a lane. `echo`: it is drawn in another lane, and may run here too.
struct LaneRow {
    Q_GADGET
    Q_PROPERTY(QString worker MEMBER worker)
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString note MEMBER note)
    Q_PROPERTY(QStringList threads MEMBER threads)
    Q_PROPERTY(int colour MEMBER colour)
    Q_PROPERTY(bool echo MEMBER echo)
    Q_PROPERTY(bool kept MEMBER kept)
    Q_PROPERTY(QRectF rect MEMBER rect)
    Q_PROPERTY(double lead MEMBER lead)
    Q_PROPERTY(QString period MEMBER period)
    Q_PROPERTY(QString arena MEMBER arena)
    Q_PROPERTY(QRectF arenaRect MEMBER arenaRect)
    Q_PROPERTY(QRectF ringsRect MEMBER ringsRect)

  public:
    QString worker = {};  ///< empty: jobs, which any worker of the pool takes
    QString label = {};
    QString note = {};  ///< "asked for CPU 1", "CPU chosen by the planner"
    int colour = -1;
    bool echo = false;
    bool kept = false;  ///< nothing runs on it any more: it can be removed
    QRectF rect = {};
    std::vector<LaneBar> bars = {};
    // With a schedule:
    double lead = 0;  ///< above the first bars, for the frames of loops
    QString period = {};  ///< what the worker repeats, in words
    QString arena = {};  ///< its size; empty: nothing stays within the worker
    QRectF arenaRect = {};  ///< the whole arena, to which the places in it are true
    QRectF ringsRect = {};
    std::vector<LaneFrame> frames = {};
    std::vector<LanePart> parts = {};
    QStringList threads =
        {};  ///< `fifo 80`: how the kernel is to run it, where the file says that of it or of its blocks

    bool operator==(const LaneRow&) const = default;
};

struct LaneWarning {
    Q_GADGET
    Q_PROPERTY(QString code MEMBER code)
    Q_PROPERTY(QString message MEMBER message)

  public:
    QString code = {};
    QString message = {};

    bool operator==(const LaneWarning&) const = default;
};

struct Lane {
    Q_GADGET
    Q_PROPERTY(QString kind READ kindName)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString detail MEMBER detail)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(double load MEMBER load)
    Q_PROPERTY(bool usable MEMBER usable)
    Q_PROPERTY(QVariantList warnings READ warningList)
    Q_PROPERTY(QVariantList rows READ rowList)
    Q_PROPERTY(QRectF rect MEMBER rect)

  public:
    enum class Kind { Cpu, MissingCpu, AnyCpu, Pool, NewWorker };

    Kind kind = Kind::Cpu;
    int cpu = -1;
    QString title = {};
    QString detail = {};
    QString heading = {};  ///< of this lane and those that follow; empty: the same as before
    double load = -1;
    bool usable = true;
    std::vector<LaneWarning> warnings = {};
    QRectF rect = {};  ///< without its heading
    std::vector<LaneRow> rows = {};

    QString kindName() const;
    QVariantList warningList() const { return weir::editor::rowList(warnings); }
    QVariantList rowList() const { return weir::editor::rowList(rows); }
    bool operator==(const Lane&) const = default;
};

/// The part of a lane view that is in sight, from top to bottom.
struct LaneRegion {
    double top = 0;
    double bottom = 1e9;

    bool touches(const QRectF& rect) const { return rect.bottom() >= top && rect.top() <= bottom; }
    bool operator==(const LaneRegion&) const = default;
};

struct LaneOptions {
    double width = 900;
    bool unfolded = false;  ///< each copy of a block is a bar of its own
    bool onlyUsed = false;  ///< CPUs without a worker are left out
};

/// Input of the layout: `before` is the last plan of the planner, `plan` may have moves that it has not seen.
struct LaneInput {
    const Machine& machine;
    const PlanView& plan;
    const PlanView* before = nullptr;
    const SchedulerType& scheduler;
    const MeasuredLoad& measured;
    const std::vector<Problem>& problems;
    LaneOptions options;
    QSet<QString> kept = {};  ///< workers that a drag emptied
    QHash<QString, QStringList> threads = {};  ///< worker: how the kernel is to run it
};

namespace lanes {
inline constexpr double kHeader = 120;
inline constexpr double kLabel = 76;
inline constexpr double kHeading = 28;
inline constexpr double kLane = 56;
inline constexpr double kEmptyLane = 32;
inline constexpr double kBar = 28;
inline constexpr double kGap = 6;
inline constexpr double kPadding = 14;
inline constexpr double kLeastBar = 64;
inline constexpr double kLoopLabel = 18;
inline constexpr double kPlace = 22;  ///< of a place in an arena, and of a ring
}  // namespace lanes

std::vector<Lane> layOutLanes(const LaneInput& input);

/// Colours are numbered by the worker's place in the plan, from 0; lanes repeat eight of them.
int colourOf(const PlanView& plan, const QString& worker);

}  // namespace weir::editor
