#include "core/deployment/deployment_edits.h"
#include "core/deployment/mapping_edits.h"
#include "random_chooser.h"

namespace weir::editor {
namespace {

std::size_t deploymentCount(Chooser& c) { return list(c.find("/deployments")).size(); }

std::string deploymentName(Chooser& c) { return text(find(c.json(), Pointer(c.pointerInto("/deployments")) / "name")); }

std::string anyScheduler(Chooser& c) { return c.oneOf(c.catalog.schedulers()).id; }

void addOneDeployment(Chooser& c) {
    if (deploymentCount(c) < 8)
        c.edit([&](Transaction& t) {
            const std::string id = anyScheduler(c);
            addDeployment(t, freeDeploymentName(t.json(), id), id);
        });
}

void duplicateOneDeployment(Chooser& c) {
    if (deploymentCount(c) < 8)
        c.edit([&](Transaction& t) {
            const std::string from = deploymentName(c);
            duplicateDeployment(t, from, freeDeploymentName(t.json(), from));
        });
}

void renameOneDeployment(Chooser& c) {
    c.edit([&](Transaction& t) {
        renameDeployment(t, deploymentName(c), freeDeploymentName(t.json(), "d" + std::to_string(c.below(99))));
    });
}

void removeOneDeployment(Chooser& c) {
    if (deploymentCount(c) > 2) c.edit([&](Transaction& t) { removeDeployment(t, deploymentName(c)); });
}

void chooseOther(Chooser& c) {
    const SchedulerType& type = c.oneOf(c.catalog.schedulers());
    c.edit([&](Transaction& t) { chooseScheduler(t, deploymentName(c), type); });
}

/// Changes any key of a deployment, as if edited by hand.
void changeByHand(Chooser& c) {
    const Pointer deployment(c.pointerInto("/deployments"));
    if (!find(c.json(), deployment)) return;
    static const std::vector<std::string> places{
        "/workers",     "/affinity/w0", "/chunk_items",    "/memory/lock",        "/placement/strategy",
        "/build/march", "/x_mine",      "/timer_slack_ns", "/interference/loops", "/environment"};
    c.edit([&](Transaction& t) {
        t.set(deployment / Pointer(c.oneOf(places)), c.value());
        t.set(deployment / "threads" / c.block() / "policy", "fifo");
        t.set(deployment / "threads" / ("w" + std::to_string(c.below(3))) / "priority", c.below(99));
        t.set(deployment / "placement" / "map" / (c.block() + "[0]"), "w" + std::to_string(c.below(3)));
        t.set(deployment / "buffers" / (c.block() + ".out->" + c.block() + ".in"), {{"items", 4096}});
    });
}

/// Return an answer that the planner could give for the deployment.
PlanView planOf(Chooser& c, const Pointer& deployment, const SchedulerType& type) {
    PlanView plan;
    plan.scheduler = QString::fromStdString(type.id);
    plan.strategy = type.placement ? QString::fromStdString(strategyOf(c.json(), deployment)) : QString();
    for (const char* worker : {"w0", "w1", "w2"}) {
        PlannedWorker planned{QString::fromLatin1(worker)};
        if (find(c.json(), deployment / "affinity" / worker)) planned.requested = std::vector<int>{c.below(4)};
        plan.workers.push_back(planned);
    }
    for (const std::string& id : c.ids) {
        PlannedWorker& worker = c.oneOf(plan.workers);
        PlannedInstance instance;
        instance.name = instance.block = QString::fromStdString(id);
        if (type.jobs.empty()) {
            instance.worker = worker.name;
            worker.instances.append(instance.name);
        }
        plan.instances.push_back(instance);
    }
    return plan;
}

void withPlan(
    Chooser& c,
    const std::function<void(const Pointer& deployment, const SchedulerType& type, const PlanView& plan)>& act) {
    const Pointer deployment(c.pointerInto("/deployments"));
    if (const SchedulerType* type = c.catalog.scheduler(text(find(c.json(), deployment / "scheduler"))))
        act(deployment, *type, planOf(c, deployment, *type));
}

DropTarget anyTarget(Chooser& c, const PlanView& plan) {
    using Kind = DropTarget::Kind;
    static const std::vector<Kind> kinds{Kind::Worker, Kind::Cpu, Kind::NewWorker, Kind::AnyCpu};
    return {c.oneOf(kinds), c.oneOf(plan.workers).name, c.below(4)};
}

void mapBlocks(Chooser& c) {
    withPlan(c, [&](const Pointer& deployment, const SchedulerType& type, const PlanView& plan) {
        QSet<QString> instances;
        for (const std::string& id : c.blocks()) instances.insert(QString::fromStdString(id));
        const MappingChange moved = movedTo(plan, type, instances, anyTarget(c, plan));
        if (moved.problem.isEmpty())
            c.edit([&](Transaction& t) { writeMapping(t, deployment, plan, type, moved.mapping); });
    });
}

void pinWorker(Chooser& c) {
    withPlan(c, [&](const Pointer& deployment, const SchedulerType& type, const PlanView& plan) {
        const MappingChange moved = workerMovedTo(plan, c.oneOf(plan.workers).name, anyTarget(c, plan));
        if (moved.problem.isEmpty())
            c.edit([&](Transaction& t) { writeMapping(t, deployment, plan, type, moved.mapping); });
    });
}

void keepAsExplicit(Chooser& c) {
    withPlan(c, [&](const Pointer& deployment, const SchedulerType&, const PlanView& plan) {
        c.edit([&](Transaction& t) { writeExplicit(t, deployment, plan, mappingOf(plan)); });
    });
}

void chooseStrategy(Chooser& c) {
    static const std::vector<std::string> strategies{"contiguous", "round_robin", "single", "explicit"};
    const Pointer deployment(c.pointerInto("/deployments"));
    if (find(c.json(), deployment)) c.edit([&](Transaction& t) { writeStrategy(t, deployment, c.oneOf(strategies)); });
}

} // namespace

std::vector<RandomKind> deploymentKinds() {
    return {{"add deployment", addOneDeployment},
            {"duplicate deployment", duplicateOneDeployment},
            {"rename deployment", renameOneDeployment},
            {"remove deployment", removeOneDeployment},
            {"choose scheduler", chooseOther},
            {"change deployment", changeByHand},
            {"map blocks", mapBlocks},
            {"pin worker", pinWorker},
            {"keep as explicit", keepAsExplicit},
            {"strategy", chooseStrategy}};
}

} // namespace weir::editor
