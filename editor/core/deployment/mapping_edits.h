#pragma once

#include "core/catalog/catalog.h"
#include "core/deployment/plan_view.h"
#include "core/document/patch.h"

#include <QSet>
#include <QString>

#include <map>
#include <set>
#include <string>

namespace weir::editor {

/// Target of a drop of blocks.
struct DropTarget {
    enum class Kind { None, Worker, Cpu, NewWorker, AnyCpu };

    Kind kind = Kind::None;
    QString worker;
    int cpu = -1;

    bool operator==(const DropTarget&) const = default;
};

/// Mapping as a deployment writes it: instances to workers, workers to CPUs.
struct Mapping {
    std::map<QString, QString> workerOf;
    std::map<QString, std::vector<int>> affinity;

    bool operator==(const Mapping&) const = default;
};

/// Result of a drop: a new mapping, or the reason why there is none.
struct MappingChange {
    Mapping mapping;
    QString problem;
};

/// Return the mapping of the plan. Its affinity contains only CPUs that the deployment names.
Mapping mappingOf(const PlanView& plan);

/// Moves `instances` to `target`. The other blocks stay on their workers and CPUs of the plan. If a drop names a CPU or
/// changes the set of workers, the CPUs of the others are written, too.
MappingChange movedTo(const PlanView& plan, const SchedulerType& scheduler, const QSet<QString>& instances,
                      const DropTarget& target);
/// Moves a whole worker to a CPU, or back to the planner's choice.
MappingChange workerMovedTo(const PlanView& plan, const QString& worker, const DropTarget& target);

/// Return why blocks cannot be dragged under this scheduler; empty if they can.
QString whyFixed(const SchedulerType& scheduler);

/// Return the plan with this mapping, shown until the planner has answered.
PlanView withMapping(const PlanView& plan, const SchedulerType& scheduler, const Mapping& mapping);

/// Return the workers of `before` that `after` lacks, without their instances.
std::vector<PlannedWorker> emptiedWorkers(const PlanView& before, const PlanView& after);
/// Return the plan with the missing ones of these workers added, in the planner's order.
PlanView withIdle(const PlanView& plan, const std::vector<PlannedWorker>& idle);

/// Writes the mapping into the deployment at `deployment`: an explicit placement if the scheduler takes one.
void writeMapping(Transaction& transaction, const Pointer& deployment, const PlanView& plan,
                  const SchedulerType& scheduler, const Mapping& mapping);
/// Writes an explicit placement equal to the plan's.
void writeExplicit(Transaction& transaction, const Pointer& deployment, const PlanView& plan, const Mapping& mapping);
/// Return the strategy of the deployment at `deployment`, as the planner reads it.
std::string strategyOf(const Json& project, const Pointer& deployment);
/// Return the workers that an explicit placement of the deployment maps blocks to.
std::set<std::string> workersOfMap(const Json& project, const Pointer& deployment);
/// Replaces the placement by a strategy. Removes affinities and policies of workers that only a map named.
void writeStrategy(Transaction& transaction, const Pointer& deployment, const std::string& strategy);
/// Removes affinities and policies of workers that only a map named: all but w0, w1, …, or all but w0 if `single`.
void keepNumberedWorkers(Transaction& transaction, const Pointer& deployment, bool single);

}  // namespace weir::editor
