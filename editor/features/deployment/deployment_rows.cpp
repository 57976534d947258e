#include "deployment_rows.h"
#include "deployment_edits.h"
#include "mapping_edits.h"
#include "project_edits.h"
#include "row_builder.h"
#include "thread_rows.h"
#include "value_text.h"

#include <QObject>

namespace weir::editor {
namespace {

using Rows = std::vector<ParameterRow>;

/// What the command line takes where the file says nothing.
QString byDefault(const Catalog& catalog, const char* place, const QString& nothing = {}) {
    const Json* value = find(catalog.defaults(), Pointer(place));
    if (!value || value->is_null() || (value->is_string() && text(value).empty())) return nothing;
    return value->is_array() ? QString() : shownText(*value);
}

const SchedulerType* schedulerAt(const Json& project, const Catalog& catalog, const Pointer& deployment) {
    return catalog.scheduler(text(find(project, deployment / "scheduler")));
}

/// What is generated: a choice among the targets that can run the deployment's scheduler.
ParameterRow targetRow(const Json& project, const Catalog& catalog, const Pointer& deployment) {
    const SchedulerType* scheduler = schedulerAt(project, catalog, deployment);
    QStringList targets = scheduler ? qtList(scheduler->targets) : QStringList();
    const QString usual = targets.value(0, byDefault(catalog, "/deployment/target"));
    if (targets.isEmpty())
        for (const TargetType& target : catalog.targets()) targets.append(qt(target.id));
    const std::string stated = text(find(project, deployment / "target"));
    const TargetType* chosen = catalog.target(stated.empty() ? usual.toStdString() : stated);
    const QString what =
        chosen ? QStringLiteral("\n%1: %2").arg(qt(chosen->title), qt(chosen->documentation)) : QString();
    return documented(asChoice(fieldRow(project, deployment / "target", "enum", QObject::tr("Target"), usual), targets),
                      QObject::tr("What is generated.") + what);
}

/// How many workers there are where the deployment gives no number of them: those that its own placement names.
QString workersByDefault(const Json& project, const Pointer& deployment) {
    const std::size_t named =
        strategyOf(project, deployment) == "explicit" ? workersOfMap(project, deployment).size() : 0;
    return named > 0 ? QString::number(named) : QObject::tr("auto");
}

} // namespace

Rows schedulingRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    // A project without a deployment runs all the same, and these are what it runs by.
    const auto place = list(find(project, Pointer("/deployments"))).empty()
                           ? Pointer("/deployments/0")
                           : deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const SchedulerType* scheduler =
        find(project, *place) ? schedulerAt(project, catalog, *place) : catalog.scheduler(kOwnDeployment);
    Rows rows;
    if (!scheduler || scheduler->workers == "chosen" || find(project, *place / "workers"))
        rows.push_back(documented(
            fieldRow(project, *place / "workers", "i64", QObject::tr("Workers"), workersByDefault(project, *place)),
            QObject::tr("Threads that let the blocks work. Automatic: as the machine has cores. "
                        "Blocks that were mapped by hand have the workers that they were mapped to.")));
    QStringList wait = scheduler ? qtList(scheduler->waitPolicies) : QStringList();
    rows.push_back(
        documented(asChoice(fieldRow(project, *place / "wait", "enum", QObject::tr("Waiting"),
                                     byDefault(catalog, "/deployment/wait", wait.value(0))),
                            wait),
                   QObject::tr("What a worker does when it finds nothing to do: look again at once, let others "
                               "run first, or sleep until it is woken.")));
    rows.push_back(
        documented(fieldRow(project, *place / "chunk_items", "i64", QObject::tr("Chunk"),
                            byDefault(catalog, "/deployment/chunk_items")),
                   QObject::tr("Items that a block is offered at a time. Automatic: what keeps the buffers of a "
                               "worker in its cache."),
                   QStringLiteral("items")));
    return rows;
}

Rows schedulerParameterRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    Rows rows;
    if (const SchedulerType* scheduler = schedulerAt(project, catalog, *place))
        for (const ParameterType& parameter : scheduler->parameters)
            rows.push_back(describedRow(project, *place / "parameters" / parameter.id, parameter));
    addUnknown(rows, project, *place / "parameters");
    return rows;
}

Rows privilegeRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const Pointer memory = *place / "memory";
    const Pointer require = *place / "require";
    Rows rows = threadRows(project, *place);
    const Rows others{
        documented(fieldRow(project, memory / "lock", "bool", QObject::tr("Lock memory"),
                            byDefault(catalog, "/deployment/memory/lock")),
                   QObject::tr("Nothing of the program is ever paged out.")),
        documented(fieldRow(project, memory / "hugepages", "bool", QObject::tr("Huge pages"),
                            byDefault(catalog, "/deployment/memory/hugepages")),
                   QObject::tr("Buffers lie in huge pages where the kernel has some.")),
        documented(fieldRow(project, memory / "numa", "numa", QObject::tr("NUMA"),
                            byDefault(catalog, "/deployment/memory/numa", QObject::tr("the kernel decides"))),
                   QObject::tr("Where buffers lie: local, interleave, or the number of a node.")),
        documented(memberRow(project, require, "affinity", QObject::tr("Need affinity")),
                   QObject::tr("A run whose workers do not get their CPUs is invalid.")),
        documented(memberRow(project, require, "priority", QObject::tr("Need priority")),
                   QObject::tr("A run that does not get its policy and priority is invalid.")),
        documented(memberRow(project, require, "memory_lock", QObject::tr("Need locked memory")),
                   QObject::tr("A run that cannot lock its memory is invalid."))};
    rows.insert(rows.end(), others.begin(), others.end());
    return rows;
}

Rows machineRows(const Json& project, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const Pointer isolate = *place / "environment" / "isolate";
    const Pointer disturb = *place / "disturb";
    const Pointer require = *place / "require";
    ParameterRow environment = documented(
        fieldRow(project, *place / "environment", "enum", QObject::tr("Environment"), QStringLiteral("as_is")),
        QObject::tr(
            "For the length of a run, isolate gives it CPUs of its own: other tasks and interrupts are moved away, "
            "the clock is held steady, and all is put back at the end, as far as it is permitted."));
    const Json* asked = find(project, *place / "environment");
    if (asked && asked->is_object()) // with more said below
        environment.value = environment.shown = QStringLiteral("isolate");
    Rows rows{environment};
    if (asked && environment.value == QLatin1String("isolate")) {
        rows.push_back(documented(
            fieldRow(project, isolate / "cpus", "cpus", QObject::tr("Own CPUs"), QObject::tr("those that are chosen")),
            QObject::tr("Which CPUs the run has for itself: 0, 2-3.")));
        rows.back().name = QStringLiteral("isolated");
        rows.push_back(documented(
            fieldRow(project, isolate / "free_siblings", "bool", QObject::tr("Free siblings"), QStringLiteral("false")),
            QObject::tr("The other threads of these cores are kept free, too.")));
        rows.push_back(documented(
            fieldRow(project, isolate / "governor", "string", QObject::tr("Governor"), QStringLiteral("performance")),
            QObject::tr("Of the CPUs' clocks, while the run has them.")));
    }
    rows.push_back(documented(
        fieldRow(project, disturb / "loops", "i64", QObject::tr("Loops"), QStringLiteral("0")),
        QObject::tr("So many programs that compute without end disturb each run, in a control group of their own.")));
    if (find(project, disturb)) {
        rows.push_back(documented(
            fieldRow(project, disturb / "cpu_limit", "share", QObject::tr("CPU limit"), QStringLiteral("none")),
            QObject::tr(
                "Of the time of all CPUs that the loops may run on, they get this much: 10 %, or none for no limit.")));
        rows.push_back(documented(
            fieldRow(project, disturb / "slice_us", "i64", QObject::tr("Slice (µs)"), QObject::tr("the kernel's")),
            QObject::tr("So long a loop runs before the kernel's scheduler lets another thread have its CPU.")));
        rows.push_back(
            documented(fieldRow(project, disturb / "cpus", "cpus", QObject::tr("On CPUs"), QObject::tr("all")),
                       QObject::tr("Which CPUs the loops may run on: 0, 2-3.")));
    }
    rows.push_back(documented(memberRow(project, require, "isolation", QObject::tr("Need isolation")),
                              QObject::tr("A run that is not isolated as it is asked for is invalid.")));
    rows.push_back(documented(memberRow(project, require, "disturbance", QObject::tr("Need the loops")),
                              QObject::tr("A run that is not disturbed as it is asked for is invalid.")));
    return rows;
}

Rows buildRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const Pointer build = *place / "build";
    return {
        documented(fieldRow(project, build / "compiler", "string", QObject::tr("Compiler"),
                            byDefault(catalog, "/deployment/build/compiler")),
                   QObject::tr("g++ or clang++, with or without a version: g++-12.")),
        documented(fieldRow(project, build / "march", "string", QObject::tr("Architecture"),
                            byDefault(catalog, "/deployment/build/march")),
                   QObject::tr("What the code is made for, such as native or x86-64-v3.")),
        asChoice(fieldRow(project, build / "optimisation", "enum", QObject::tr("Optimisation"),
                          byDefault(catalog, "/deployment/build/optimisation")),
                 {QStringLiteral("O0"), QStringLiteral("O1"), QStringLiteral("O2"), QStringLiteral("O3")}),
        documented(fieldRow(project, build / "extra_flags", "words", QObject::tr("More flags")),
                   QObject::tr("Flags for debugging, vectors, unrolling, alignment and tuning are allowed.")),
        documented(
            fieldRow(project, *place / "blocks", "enum", QObject::tr("Blocks"), QObject::tr("as its target has them")),
            QObject::tr(
                "Those of the library, which all runtimes share, or a runtime's own where one means the same.")),
        documented(
            fieldRow(project, *place / "kernels", "enum", QObject::tr("Kernels"),
                     QObject::tr("as its target has them")),
            QObject::tr("Whether the work of blocks is compiled into what calls it, or called in a library that is the "
                        "same under every runtime.")),
        documented(
            fieldRow(project, *place / "alignment", "bool", QObject::tr("Keep aligned"), QStringLiteral("false")),
            QObject::tr("Chunks are cut so that what blocks are given begins where vectors may be loaded at once.")),
        targetRow(project, catalog, *place)};
}

Rows runRows(const Json& project, const Catalog& catalog) {
    const Pointer run("/run");
    const auto field = [&](const char* key, const char* type, const QString& title) {
        return fieldRow(project, run / key, type, title, byDefault(catalog, ("/run/" + std::string(key)).c_str()));
    };
    return {
        documented(field("items", "i64", QObject::tr("Items")),
                   QObject::tr("Items that each source gives. 0: as many as come before the time limit."),
                   QStringLiteral("items")),
        documented(field("warmup_items", "i64", QObject::tr("Warm-up")),
                   QObject::tr("Items at each sink before the measured window begins."), QStringLiteral("items")),
        documented(field("repetitions", "i64", QObject::tr("Repetitions")),
                   QObject::tr("Runs, each a process of its own.")),
        documented(field("seed", "i64", QObject::tr("Seed")), QObject::tr("Of every random block.")),
        documented(field("timeout_s", "f64", QObject::tr("Time limit")),
                   QObject::tr("A run that takes longer is stopped and its result says so."), QStringLiteral("s")),
        documented(
            fieldRow(project, run / "deadline_us", "f64", QObject::tr("Deadline (µs)"),
                     byDefault(catalog, "/run/deadline_us", QObject::tr("none"))),
            QObject::tr(
                "An item that is at its sink later than this after its source had it is a response failure, and the "
                "results say how many are.")),
        documented(field("metrics", "enum", QObject::tr("Metrics")),
                   QObject::tr("none for figures of throughput; counters; profile reads the clock twice a call, which "
                               "slows the run down.")),
        documented(field("cpu_counters", "bool", QObject::tr("CPU counters")),
                   QObject::tr(
                       "What the CPU counts of each worker: cycles, cache misses and more, where that is permitted."))};
}

Rows traceRows(const Json& project, const Catalog& catalog) {
    const Pointer trace("/run/trace");
    const Pointer events = trace / "events";
    return {
        documented(fieldRow(project, trace / "backend", "enum", QObject::tr("Trace"),
                            byDefault(catalog, "/run/trace/backend")),
                   QObject::tr("Where events go. Without a trace there is no latency.")),
        documented(fieldRow(project, trace / "probe_granularity", "i64", QObject::tr("Granularity"),
                            byDefault(catalog, "/run/trace/probe_granularity")),
                   QObject::tr("Items between two events at a probe. Automatic keeps the predicted cost under 1 %."),
                   QStringLiteral("items")),
        documented(
            fieldRow(project, trace / "causes", "bool", QObject::tr("Why items are late"), QStringLiteral("false")),
            QObject::tr(
                "The kernel's own trace is read beside, and says what held up the latest items: who took the CPU, an "
                "interrupt, or a block that was waited for.")),
        documented(memberRow(project, events, "work", QObject::tr("Work events")),
                   QObject::tr("Each call of each block, for the timeline.")),
        documented(memberRow(project, events, "park", QObject::tr("Park events")),
                   QObject::tr("Each time that a worker goes to sleep or wakes up.")),
        documented(memberRow(project, events, "steal", QObject::tr("Steal events")),
                   QObject::tr("Each task that a worker takes from another one."))};
}

} // namespace weir::editor
