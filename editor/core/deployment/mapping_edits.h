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

/// A mapping as a deployment writes it: instances to workers, workers to CPUs.
struct Mapping {
    std::map<QString, QString> workerOf;
    std::map<QString, std::vector<int>> affinity;

    bool operator==(const Mapping&) const = default;
};

/// Result of a drop: a new mapping, or why there is none.
struct MappingChange {
    Mapping mapping;
    QString problem;
};

/// The mapping that the plan has; only CPUs that the deployment names are in its affinity.
Mapping mappingOf(const PlanView& plan);

/// `instances` go to `target`. The other blocks stay with the workers, and on the CPUs, where the plan had them:
/// where a drop names a CPU or changes which workers there are, the others' CPUs are written down too.
MappingChange movedTo(const PlanView& plan, const SchedulerType& scheduler, const QSet<QString>& instances,
                      const DropTarget& target);
/// A worker as a whole goes to a CPU, or back to where the planner puts it.
MappingChange workerMovedTo(const PlanView& plan, const QString& worker, const DropTarget& target);

/// Return why blocks cannot be dragged under this scheduler; empty if they can.
QString whyFixed(const SchedulerType& scheduler);

/// The plan with the mapping, before the planner has answered: shown until then.
PlanView withMapping(const PlanView& plan, const SchedulerType& scheduler, const Mapping& mapping);

/// The workers of `before` that `after` lacks, with nothing to run.
std::vector<PlannedWorker> emptiedWorkers(const PlanView& before, const PlanView& after);
/// The plan with these workers too, as far as it lacks them, in the planner's order.
PlanView withIdle(const PlanView& plan, const std::vector<PlannedWorker>& idle);

/// Writes the mapping into the deployment at `deployment`: an explicit placement where the scheduler takes one.
void writeMapping(Transaction& transaction, const Pointer& deployment, const PlanView& plan,
                  const SchedulerType& scheduler, const Mapping& mapping);
/// An explicit placement that says what the plan says.
void writeExplicit(Transaction& transaction, const Pointer& deployment, const PlanView& plan, const Mapping& mapping);
/// The strategy of the deployment at `deployment`, as the planner reads it.
std::string strategyOf(const Json& project, const Pointer& deployment);
/// The names of the workers that an explicit placement of the deployment maps blocks to.
std::set<std::string> workersOfMap(const Json& project, const Pointer& deployment);
/// A strategy in place of the present placement; affinities and policies of workers that only a map knew go with it.
void writeStrategy(Transaction& transaction, const Pointer& deployment, const std::string& strategy);
/// Takes away affinities and policies of workers that only a map knew: other names than w0, w1, …, or than w0 where that is the
/// `single` one.
void keepNumberedWorkers(Transaction& transaction, const Pointer& deployment, bool single);

}  // namespace weir::editor
