#include "core/deployment/plan_view.h"

#include "core/deployment/scheduling_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace weir::editor {
namespace {

qint64 whole(const Json& object, std::string_view key) {
    const Json* value = member(object, key);
    return value && value->is_number() ? value->get<qint64>() : 0;
}

std::vector<int> integers(const Json* value) {
    std::vector<int> found;
    for (const Json& entry : list(value))
        if (entry.is_number()) found.push_back(entry.get<int>());
    return found;
}

std::vector<qint64> counts(const Json* value) {
    std::vector<qint64> found;
    for (const Json& entry : list(value))
        if (entry.is_number()) found.push_back(entry.get<qint64>());
    return found;
}

PlannedInstance instanceFrom(const Json& entry) {
    static const QRegularExpression form(QStringLiteral("^[^\\[@]+(?:\\[(\\d+)\\])?(?:@p(\\d+))?$"));
    PlannedInstance found{string(entry, "instance"),
                          string(entry, "block"),
                          string(entry, "type"),
                          string(entry, "worker"),
                          string(entry, "job"),
                          -1,
                          -1,
                          whole(entry, "chunk_items"),
                          counts(member(entry, "in_rates")),
                          counts(member(entry, "out_rates"))};
    const auto match = form.match(found.name);
    if (match.hasCaptured(1)) found.copy = match.captured(1).toInt();
    if (match.hasCaptured(2)) found.pipe = match.captured(2).toInt();
    return found;
}

PlannedWorker workerFrom(const Json& entry) {
    const Json& cpus = object(member(entry, "cpus"));
    PlannedWorker found{string(entry, "name"),
                        {},
                        integers(member(cpus, "planned")),
                        strings(member(entry, "instances")),
                        schedulingText(object(member(entry, "scheduling")))};
    const Json* requested = member(cpus, "requested");
    if (requested && requested->is_array()) found.requested = integers(requested);
    return found;
}

PlannedStream streamFrom(const Json& entry) {
    PlannedStream found{string(entry, "name"),         strings(member(entry, "readers")),
                        string(entry, "kind"),         {},
                        whole(entry, "planned_items"), whole(entry, "bytes"),
                        whole(entry, "least_items"),   string(entry, "arena"),
                        whole(entry, "offset"),        string(entry, "over")};
    const Json* requested = member(entry, "requested_items");
    if (requested && requested->is_number()) found.requestedItems = requested->get<qint64>();
    return found;
}

std::vector<PlannedStep> stepsFrom(const Json* body) {
    std::vector<PlannedStep> steps;
    for (const Json& entry : list(body)) {
        const bool loop = member(entry, "loop");
        const bool fires = member(entry, "fire");
        steps.push_back({fires ? QStringList(string(entry, "fire")) : strings(member(entry, "fuse")),
                         std::max<qint64>(whole(entry, loop ? "loop" : "times"), 1), stepsFrom(member(entry, "body"))});
    }
    return steps;
}

std::vector<PlannedWorkerSchedule> workerSchedulesFrom(const Json& schedule) {
    const bool isOld = !schedule.contains("worker_schedules");  // earlier versions called them sections
    std::vector<PlannedWorkerSchedule> workerSchedules;
    for (const Json& entry : list(member(schedule, isOld ? "sections" : "worker_schedules")))
        workerSchedules.push_back({string(entry, "worker"), stepsFrom(member(entry, "body"))});
    for (const Json& arena : list(member(schedule, "arenas")))
        for (PlannedWorkerSchedule& its : workerSchedules)
            if (its.worker == string(arena, "worker")) its.arenaBytes = whole(arena, "bytes");
    return workerSchedules;
}

} // namespace

const PlannedInstance* PlanView::instance(const QString& name) const {
    const auto it = std::find_if(instances.begin(), instances.end(), [&](const auto& i) { return i.name == name; });
    return it == instances.end() ? nullptr : &*it;
}

const PlannedWorker* PlanView::worker(const QString& name) const {
    const auto it = std::find_if(workers.begin(), workers.end(), [&](const auto& w) { return w.name == name; });
    return it == workers.end() ? nullptr : &*it;
}

const PlannedWorkerSchedule* PlanView::workerSchedule(const QString& name) const {
    const auto it =
        std::find_if(workerSchedules.begin(), workerSchedules.end(), [&](const auto& s) { return s.worker == name; });
    return it == workerSchedules.end() ? nullptr : &*it;
}

QStringList PlanView::instancesOf(const QString& block) const {
    QStringList found;
    for (const PlannedInstance& instance : instances)
        if (instance.block == block) found.append(instance.name);
    return found;
}

std::optional<PlanView> planFrom(const Json* answer) {
    if (!answer || list(member(*answer, "workers")).empty()) return {};
    PlanView plan;
    plan.deployment = string(*answer, "deployment");
    plan.scheduler = string(*answer, "scheduler");
    plan.scheduling = schedulingText(*answer);
    const Json& memory = object(member(*answer, "memory"));
    plan.lockMemory = isTrue(memory, "lock");
    plan.hugePages = isTrue(memory, "hugepages");
    plan.numa = string(memory, "numa");
    plan.strategy = string(object(member(object(member(*answer, "requested")), "placement")), "strategy");
    for (const Json& entry : list(member(*answer, "workers"))) plan.workers.push_back(workerFrom(entry));
    for (const Json& entry : list(member(*answer, "jobs")))
        plan.jobs.push_back({string(entry, "name"), strings(member(entry, "instances"))});
    for (const Json& entry : list(member(*answer, "blocks"))) plan.instances.push_back(instanceFrom(entry));
    for (const Json& entry : list(member(*answer, "streams"))) plan.streams.push_back(streamFrom(entry));
    const Json& schedule = object(member(*answer, "schedule"));
    plan.workerSchedules = workerSchedulesFrom(schedule);
    plan.replicated = member(schedule, "replication") != nullptr;
    return plan;
}

QString cpuList(const std::vector<int>& cpus) {
    QStringList numbers;
    for (const int cpu : cpus) numbers.append(QString::number(cpu));
    return numbers.join(QStringLiteral(", "));
}

} // namespace weir::editor
