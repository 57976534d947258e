#pragma once

#include "machine.h"
#include "mapping_edits.h"
#include "plan_view.h"
#include "problem_model.h"

#include <QHash>
#include <QObject>
#include <QRectF>
#include <QSet>

#include <functional>

namespace weir::editor {

/// What a run of the deployment measured. Empty before the first one.
struct MeasuredLoad
{
    QHash<QString, double> shareOf;  ///< instance: part of the run that it worked
    QHash<QString, double> loadOf;   ///< worker: processor time per elapsed time
    QHash<QString, QString> granted; ///< worker: the CPUs that the kernel says it may use

    bool operator==(const MeasuredLoad &) const = default;
};

MeasuredLoad measuredLoad(const Json *result, const QString &deployment);

/// A block, or several of its copies, as a bar. `ghost`: where it was before the planner has answered.
struct LaneBar
{
    QStringList instances = {};
    QString block = {};
    QString title = {};
    QRectF rect = {}; ///< from the upper left corner of the whole view
    double share = -1;
    bool ghost = false;

    bool operator==(const LaneBar &) const = default;
};

/// A worker within a lane. `echo`: it is drawn in another lane, and may run here too.
struct LaneRow
{
    Q_GADGET
    Q_PROPERTY(QString worker MEMBER worker)
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString note MEMBER note)
    Q_PROPERTY(int colour MEMBER colour)
    Q_PROPERTY(bool echo MEMBER echo)
    Q_PROPERTY(bool kept MEMBER kept)
    Q_PROPERTY(QRectF rect MEMBER rect)

public:
    QString worker = {}; ///< empty: jobs, which any worker of the pool takes
    QString label = {};
    QString note = {}; ///< "asked for CPU 1", "CPU chosen by the planner"
    int colour = -1;
    bool asked = false;
    bool echo = false;
    bool kept = false; ///< nothing runs on it any more: it can be removed
    QRectF rect = {};
    std::vector<LaneBar> bars = {};

    bool operator==(const LaneRow &) const = default;
};

struct LaneWarning
{
    Q_GADGET
    Q_PROPERTY(QString code MEMBER code)
    Q_PROPERTY(QString message MEMBER message)

public:
    QString code = {};
    QString message = {};

    bool operator==(const LaneWarning &) const = default;
};

struct Lane
{
    enum class Kind { Cpu, MissingCpu, AnyCpu, Pool, NewWorker };

    Kind kind = Kind::Cpu;
    int cpu = -1;
    QString title = {};
    QString detail = {};
    QString heading = {}; ///< of this lane and those that follow; empty: the same as before
    double load = -1;
    bool usable = true;
    std::vector<LaneWarning> warnings = {};
    QRectF rect = {}; ///< without its heading
    std::vector<LaneRow> rows = {};

    bool operator==(const Lane &) const = default;
};

struct LaneOptions
{
    double width = 900;
    bool unfolded = false; ///< each copy of a block is a bar of its own
    bool onlyUsed = false; ///< CPUs without a worker are left out
};

/// What is drawn: `before` is the plan that the planner has answered last, `plan` may have moves that it has not seen.
struct LaneInput
{
    const Machine &machine;
    const PlanView &plan;
    const PlanView *before = nullptr;
    const SchedulerType &scheduler;
    const MeasuredLoad &measured;
    const std::vector<Problem> &problems;
    LaneOptions options;
    QSet<QString> kept = {}; ///< workers that a drag emptied
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
} // namespace lanes

std::vector<Lane> layOutLanes(const LaneInput &input);

/// Colours are numbered by the worker's place in the plan, from 0; lanes repeat eight of them.
int colourOf(const PlanView &plan, const QString &worker);

} // namespace weir::editor
