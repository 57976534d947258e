#include "core/deployment/mapping_edits.h"

#include "core/deployment/instance_patterns.h"
#include "core/document/project_places.h"
#include "core/text/texts.h"

#include <QRegularExpression>

#include <algorithm>

namespace weir::editor {
namespace {

bool isPerBlock(const SchedulerType& scheduler) { return scheduler.workers == "per_block"; }

QSet<QString> workersIn(const Mapping& mapping) {
    QSet<QString> names;
    for (const auto& [instance, worker] : mapping.workerOf) names.insert(worker);
    return names;
}

QString freeWorkerName(const PlanView& plan) {
    for (int number = 0;; ++number) {
        const QString name = QStringLiteral("w%1").arg(number);
        if (!plan.worker(name)) return name;
    }
}

/// Return the worker that runs exactly these instances.
QString workerOfExactly(const PlanView& plan, const QSet<QString>& instances) {
    for (const PlannedWorker& worker : plan.workers)
        if (QSet<QString>(worker.instances.begin(), worker.instances.end()) == instances) return worker.name;
    return {};
}

QString workerOn(const PlanView& plan, int cpu) {
    for (const PlannedWorker& worker : plan.workers)
        if (worker.cpus == std::vector<int>{cpu}) return worker.name;
    return {};
}

void pinAsPlanned(const PlanView& plan, Mapping& mapping) {
    for (const PlannedWorker& worker : plan.workers)
        if (worker.cpus.size() == 1) mapping.affinity.try_emplace(worker.name, worker.cpus);
}

void setCpu(Mapping& mapping, const QString& worker, const DropTarget& target) {
    if (target.kind == DropTarget::Kind::Cpu) mapping.affinity[worker] = {target.cpu};
    else mapping.affinity.erase(worker);
}

/// Moves threads of blocks by their CPUs: each block has its own thread.
MappingChange threadsMoved(const PlanView& plan, const QSet<QString>& instances, const DropTarget& target) {
    MappingChange change{mappingOf(plan), {}};
    DropTarget place = target;
    if (target.kind == DropTarget::Kind::Worker) {
        const PlannedWorker* worker = plan.worker(target.worker);
        place = {worker && worker->cpus.size() == 1 ? DropTarget::Kind::Cpu : DropTarget::Kind::AnyCpu,
                 {},
                 worker && worker->cpus.size() == 1 ? worker->cpus.front() : -1};
    }
    if (target.kind == DropTarget::Kind::NewWorker)
        change.problem = MappingText::tr("Each block already has its own worker");
    for (const QString& name : instances) setCpu(change.mapping, name, place);
    return change;
}

MappingChange placedMoved(const PlanView& plan, const SchedulerType& scheduler, const QSet<QString>& instances,
                          const DropTarget& target) {
    using Kind = DropTarget::Kind;
    MappingChange change{mappingOf(plan), {}};
    const QString alone = workerOfExactly(plan, instances);
    if (!alone.isEmpty() && (target.kind == Kind::Cpu || target.kind == Kind::AnyCpu))
        return workerMovedTo(plan, alone, target);
    QString worker = target.kind == Kind::Worker ? target.worker
                     : target.kind == Kind::Cpu  ? workerOn(plan, target.cpu)
                                                 : QString();
    if (!alone.isEmpty() && target.kind == Kind::NewWorker) {
        change.problem = MappingText::tr("These blocks already have %1 to themselves").arg(alone);
        return change;
    }
    const bool isNew = worker.isEmpty();
    if (isNew && static_cast<int>(plan.workers.size()) >= scheduler.maxWorkers) {
        change.problem = MappingText::tr("%1 already has %2 workers, its maximum")
                             .arg(QString::fromStdString(scheduler.title))
                             .arg(scheduler.maxWorkers);
        return change;
    }
    if (isNew) worker = freeWorkerName(plan);
    const qsizetype before = workersIn(change.mapping).size();
    for (const QString& name : instances)
        if (const auto it = change.mapping.workerOf.find(name); it != change.mapping.workerOf.end())
            it->second = worker;
    const QSet<QString> used = workersIn(change.mapping);
    if (isNew || used.size() != before || target.kind == Kind::Cpu) pinAsPlanned(plan, change.mapping);
    if (target.kind == Kind::Cpu) change.mapping.affinity[worker] = {target.cpu};
    std::erase_if(change.mapping.affinity, [&](const auto& entry) { return !used.contains(entry.first); });
    return change;
}

/// Orders w2 before w10, as the planner does.
bool isBefore(const QString& a, const QString& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

/// Removes the keys of the object at `at` for which `goes` is true, and the object when it is empty.
template <class Goes> void removeKeys(Transaction& transaction, const Pointer& at, Goes goes) {
    const Json before = object(find(transaction.json(), at));
    for (const auto& entry : before.items())
        if (goes(entry.key())) transaction.remove(at / entry.key());
    if (!before.empty() && object(find(transaction.json(), at)).empty()) transaction.remove(at);
}

Json affinityOf(const PlanView& plan, const SchedulerType& scheduler, const Mapping& mapping) {
    Json written = Json::object();
    if (isPerBlock(scheduler)) {
        std::map<QString, QString> cpus;
        std::map<QString, std::vector<int>> listOf;
        for (const auto& [worker, list] : mapping.affinity) {
            cpus[worker] = cpuList(list);
            listOf[cpus[worker]] = list;
        }
        for (const auto& [pattern, text] : patternsFor(plan.instances, cpus))
            written[pattern.toStdString()] = listOf[text];
        return written;
    }
    std::vector<QString> names;
    for (const auto& [worker, list] : mapping.affinity) names.push_back(worker);
    std::sort(names.begin(), names.end(), isBefore);
    for (const QString& worker : names) written[worker.toStdString()] = mapping.affinity.at(worker);
    return written;
}

} // namespace

Mapping mappingOf(const PlanView& plan) {
    Mapping mapping;
    for (const PlannedInstance& instance : plan.instances)
        if (!instance.worker.isEmpty()) mapping.workerOf[instance.name] = instance.worker;
    for (const PlannedWorker& worker : plan.workers)
        if (worker.requested) mapping.affinity[worker.name] = *worker.requested;
    return mapping;
}

QString whyFixed(const SchedulerType& scheduler) {
    if (scheduler.jobs.empty()) return {};
    return MappingText::tr(
               "%1 moves blocks between its workers at run time: you can drag a worker to a CPU, but not a block")
        .arg(QString::fromStdString(scheduler.title));
}

MappingChange workerMovedTo(const PlanView& plan, const QString& worker, const DropTarget& target) {
    MappingChange change{mappingOf(plan), {}};
    if (target.kind != DropTarget::Kind::Cpu && target.kind != DropTarget::Kind::AnyCpu)
        change.problem = MappingText::tr("Drop a worker on a CPU");
    pinAsPlanned(plan, change.mapping);
    setCpu(change.mapping, worker, target);
    return change;
}

MappingChange movedTo(const PlanView& plan, const SchedulerType& scheduler, const QSet<QString>& instances,
                      const DropTarget& target) {
    MappingChange change{mappingOf(plan), whyFixed(scheduler)};
    if (!change.problem.isEmpty() || instances.isEmpty() || target.kind == DropTarget::Kind::None) return change;
    if (isPerBlock(scheduler)) return threadsMoved(plan, instances, target);
    if (scheduler.placement) return placedMoved(plan, scheduler, instances, target);
    if (target.kind == DropTarget::Kind::Cpu || target.kind == DropTarget::Kind::AnyCpu)
        return workerMovedTo(plan, plan.workers.front().name, target);
    change.problem =
        MappingText::tr("%1 runs every block on one worker: choose a scheduler with placement, such as Flow")
            .arg(QString::fromStdString(scheduler.title));
    return change;
}

PlanView withMapping(const PlanView& plan, const SchedulerType& scheduler, const Mapping& mapping) {
    PlanView shown = plan;
    if (scheduler.placement) {
        for (PlannedWorker& worker : shown.workers) worker.instances.clear();
        for (PlannedInstance& instance : shown.instances) {
            const auto it = mapping.workerOf.find(instance.name);
            if (it == mapping.workerOf.end()) continue;
            instance.worker = it->second;
            auto worker = std::find_if(shown.workers.begin(), shown.workers.end(),
                                       [&](const auto& w) { return w.name == it->second; });
            if (worker == shown.workers.end()) worker = shown.workers.insert(worker, {it->second, {}, {}, {}});
            worker->instances.append(instance.name);
        }
        std::erase_if(shown.workers, [](const PlannedWorker& worker) { return worker.instances.isEmpty(); });
    }
    for (PlannedWorker& worker : shown.workers) {
        const auto it = mapping.affinity.find(worker.name);
        if (it != mapping.affinity.end()) {
            worker.requested = it->second;
            worker.cpus = it->second;
        } else if (worker.requested) {
            worker.requested.reset();
            worker.cpus.clear();
        }
    }
    return shown;
}

std::vector<PlannedWorker> emptiedWorkers(const PlanView& before, const PlanView& after) {
    std::vector<PlannedWorker> emptied;
    for (PlannedWorker worker : before.workers)
        if (!after.worker(worker.name)) {
            worker.instances.clear();
            emptied.push_back(std::move(worker));
        }
    return emptied;
}

PlanView withIdle(const PlanView& plan, const std::vector<PlannedWorker>& idle) {
    PlanView shown = plan;
    for (const PlannedWorker& worker : idle)
        if (!plan.worker(worker.name))
            shown.workers.insert(
                std::find_if(shown.workers.begin(), shown.workers.end(),
                             [&](const PlannedWorker& other) { return isBefore(worker.name, other.name); }),
                worker);
    return shown;
}

void writeMapping(Transaction& transaction, const Pointer& deployment, const PlanView& plan,
                  const SchedulerType& scheduler, const Mapping& mapping) {
    const Mapping before = mappingOf(plan);
    const bool placed = scheduler.placement && mapping.workerOf != before.workerOf;
    if (placed) {
        writeExplicit(transaction, deployment, plan, mapping);
        const QSet<QString> used = workersIn(mapping);
        removeKeys(transaction, deployment / "threads", [&](const std::string& name) {
            const QString worker = QString::fromStdString(name);
            return plan.worker(worker) && !used.contains(worker);
        });
    }
    // An explicit placement names fewer workers than a worker count makes: settings of other workers must go.
    if (!placed && mapping.affinity == before.affinity) return;
    if (mapping.affinity.empty()) transaction.remove(deployment / "affinity");
    else transaction.set(deployment / "affinity", affinityOf(plan, scheduler, mapping));
}

void writeExplicit(Transaction& transaction, const Pointer& deployment, const PlanView& plan, const Mapping& mapping) {
    Json map = Json::object();
    for (const auto& [pattern, worker] : patternsFor(plan.instances, mapping.workerOf))
        map[pattern.toStdString()] = worker.toStdString();
    transaction.set(deployment / "placement", {{"strategy", "explicit"}, {"map", map}});
    // The map names all workers; a worker count beside it could only leave some out.
    transaction.remove(deployment / "workers");
}

std::string strategyOf(const Json& project, const Pointer& deployment) {
    const std::string strategy = text(find(project, deployment / "placement" / "strategy"));
    return strategy.empty() ? "contiguous" : strategy;
}

std::set<std::string> workersOfMap(const Json& project, const Pointer& deployment) {
    std::set<std::string> names;
    for (const auto& entry : object(find(project, deployment / "placement" / "map")).items())
        names.insert(text(&entry.value()));
    return names;
}

void keepNumberedWorkers(Transaction& transaction, const Pointer& deployment, bool single) {
    static const QRegularExpression numbered(QStringLiteral("^w(0|[1-9][0-9]{0,3})$"));
    const auto isOther = [single](const std::string& name) {
        return single ? name != "w0" : !numbered.match(QString::fromStdString(name)).hasMatch();
    };
    removeKeys(transaction, deployment / "affinity", isOther);
    removeKeys(transaction, deployment / "threads", [&](const std::string& name) {
        const std::string block = name.substr(0, name.find_first_of("[@"));
        return block != "*" && !blockPointer(transaction.json(), block) && isOther(name);
    });
}

void writeStrategy(Transaction& transaction, const Pointer& deployment, const std::string& strategy) {
    const bool wasExplicit = strategyOf(transaction.json(), deployment) == "explicit";
    transaction.set(deployment / "placement", {{"strategy", strategy}});
    if (wasExplicit || strategy == "single") keepNumberedWorkers(transaction, deployment, strategy == "single");
}

} // namespace weir::editor
