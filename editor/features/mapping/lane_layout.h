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

/// Part of a worker schedule other than a call: the repetitions of a loop, a place in the arena, or a ring to other
/// workers.
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
    QString key = {};  ///< unique among all rows
    QString title = {};
    QString detail = {};
    QString text = {};           ///< full description, in lines
    QStringList instances = {};  ///< instances of the loop; or writers and readers of the streams
    QStringList writers = {};    ///< to be selected with it
    QStringList to = {};         ///< workers of a ring's readers
    qint64 bytes = 0;            ///< size of a ring
    bool shared = false;         ///< true if several streams share bytes of the place
    bool selected = false;
    QRectF rect = {}; ///< relative to the upper left corner of the whole view

    bool operator==(const LanePart&) const = default;
};

/// Frame of a loop around bars, or the part of it in one line.
struct LaneFrame {
    QRectF rect = {};
    bool begins = true;
    bool ends = true;

    bool operator==(const LaneFrame&) const = default;
};

/// Measurements of a run of the deployment; empty before the first one.
struct MeasuredLoad {
    QHash<QString, double> shareOf;  ///< instance: share of the run that it worked
    QHash<QString, double> loadOf;   ///< worker: processor time per elapsed time
    QHash<QString, QString> cpusOf;  ///< worker: CPUs that the run granted

    bool operator==(const MeasuredLoad&) const = default;
};

MeasuredLoad measuredLoad(const Json* result, const QString& deployment);

/// Loop of a schedule; `number` distinguishes loops of one worker.
struct LaneLoop {
    int number = 0;
    qint64 times = 1;

    bool operator==(const LaneLoop&) const = default;
};

/// Bar of a block, or of several of its copies; with a schedule, of one call. `ghost`: its place in the last plan,
/// until the planner has answered a move.
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
    QRectF rect = {};  ///< relative to the upper left corner of the whole view
    double share = -1;
    bool ghost = false;
    int call = -1;  ///< index among the calls of its worker; -1: no schedule
    qint64 times = 0;  ///< firings per call; 0: no schedule
    std::vector<LaneLoop> loops = {};  ///< around it, outermost first
    bool together = false;  ///< the instances fire in one call, in one loop over their items
    QString text = {};  ///< description of the call
    // Set by the lanes:
    QString type = {};  ///< type of the block
    QString category = {};
    QString worker = {};
    int colour = -1;
    bool selected = false;

    bool operator==(const LaneBar&) const = default;
};

/// Worker within a lane. `echo`: the worker belongs to another lane, and may run here too.
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
    QString note = {};  ///< "requested", "planned", "not pinned"
    int colour = -1;
    bool echo = false;
    bool kept = false;  ///< no block is left on it: it can be removed
    QRectF rect = {};
    std::vector<LaneBar> bars = {};
    // With a schedule:
    double lead = 0;  ///< space above the first bars, for the frames of loops
    QString period = {};  ///< the repeated part of the worker, in words
    QString arena = {};  ///< size of the arena; empty: no stream stays within the worker
    QRectF arenaRect = {};  ///< the whole arena, to the scale of its places
    QRectF ringsRect = {};
    std::vector<LaneFrame> frames = {};
    std::vector<LanePart> parts = {};
    QStringList threads =
        {};  ///< `fifo 80`: Linux policy and priority, if the file sets them for the worker or its blocks

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
    QString heading = {};  ///< heading of this lane and the next ones; empty: unchanged
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

/// Visible part of a lane view, from top to bottom.
struct LaneRegion {
    double top = 0;
    double bottom = 1e9;

    bool touches(const QRectF& rect) const { return rect.bottom() >= top && rect.top() <= bottom; }
    bool operator==(const LaneRegion&) const = default;
};

struct LaneOptions {
    double width = 900;
    bool unfolded = false;  ///< each copy of a block is a separate bar
    bool onlyUsed = false;  ///< CPUs without a worker are left out
};

/// Input of the layout: `before` is the planner's last plan; `plan` may include later moves.
struct LaneInput {
    const Machine& machine;
    const PlanView& plan;
    const PlanView* before = nullptr;
    const SchedulerType& scheduler;
    const MeasuredLoad& measured;
    const std::vector<Problem>& problems;
    LaneOptions options;
    QSet<QString> kept = {};  ///< workers emptied by a drag
    QHash<QString, QStringList> threads = {};  ///< worker: Linux policy and priority
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
inline constexpr double kPlace = 22;  ///< height of a place in an arena, and of a ring
}  // namespace lanes

std::vector<Lane> layOutLanes(const LaneInput& input);

/// Return the colour number of a worker: its index in the plan, from 0. Lanes have eight colours, which repeat.
int colourOf(const PlanView& plan, const QString& worker);

}  // namespace weir::editor
