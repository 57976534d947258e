#include "core/runs/run_loads.h"

#include "core/runs/run_record.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::editor {
namespace {

/// Return `@p3` of an instance; empty without pipes.
QString pipeOf(const QString& instance) {
    const qsizetype at = instance.indexOf(u'@');
    return at < 0 ? QString() : instance.mid(at);
}

struct Port {
    std::string block;
    std::string port;
};

Port portOf(const Json& edge, const char* key) {
    const QString name = string(edge, key);
    const qsizetype dot = name.lastIndexOf(u'.');
    return {blockOf(name.left(dot)).toStdString(), name.mid(dot + 1).toStdString()};
}

QString instanceOf(const Json& edge, const char* key) {
    const QString name = string(edge, key);
    return name.left(name.lastIndexOf(u'.'));
}

void addWires(const Json& results, RunLoads& loads) {
    const QHash<QString, QString> workers = workersOf(results);
    for (const Json& edge : list(member(results, "edges"))) {
        const double fill = numberOf(edge, "fill_mean");
        if (std::isnan(fill)) continue;
        const Port from = portOf(edge, "from"), to = portOf(edge, "to");
        WireLoad& wire = loads.wires[{from.block, from.port, to.block, to.port}];
        wire.bufferItems = numberOf(edge, "buffer_items");
        if (isWithinWorker(edge, workers)) {
            ++wire.within;
            continue;
        }
        wire.fill = (std::max(wire.fill, 0.0) * wire.streams + fill) / (wire.streams + 1);
        wire.fullest = std::max(wire.fullest, fill);
        ++wire.streams;
    }
}

/// Return the items that left each source instance in the whole run, as far as a head right behind it passed them on.
/// The throughput counts the same items, but only within its window.
QHash<QString, double> itemsOfSources(const Json& results) {
    QHash<QString, const Json*> blocks;
    for (const Json& block : list(member(results, "blocks"))) blocks.insert(string(block, "id"), &block);
    QSet<QString> read;
    QHash<QString, QStringList> readers;
    for (const Json& edge : list(member(results, "edges"))) {
        read.insert(instanceOf(edge, "to"));
        readers[instanceOf(edge, "from")].append(instanceOf(edge, "to"));
    }
    QHash<QString, double> items;
    for (auto it = blocks.constBegin(); it != blocks.constEnd(); ++it) {
        if (read.contains(it.key())) continue;
        double left = numberOf(**it, "items_out");
        const QStringList of = readers.value(it.key());
        const Json* next = of.size() == 1 ? blocks.value(of.front()) : nullptr;
        // A source writes whole chunks; items that the head behind it discards do not count.
        if (next && numberOf(*next, "items_in") == numberOf(*next, "items_out"))
            left = std::min(left, numberOf(*next, "items_out"));
        if (left > 0) items.insert(it.key(), left);
    }
    return items;
}

/// True if the counts of blocks include items that the throughput leaves out: where GNU Radio runs its own blocks, those
/// still in buffers. Only such runs report limits of buffers.
bool countsMoreThanThroughput(const Json& results) {
    const Json* limits = member(object(member(results, "granted")), "buffer_limits");
    return limits && limits->is_object();
}

/// Sets the window: rates, like the throughput, are the window's part of the items of the whole run. Where the
/// throughput leaves out items that blocks count, rates are means over the whole run instead.
void findWindow(const Json& results, RunLoads& loads) {
    loads.fromSources = itemsOfSources(results);
    const double throughput = numberOf(results, "throughput_items_per_s");
    const double items = std::accumulate(loads.fromSources.begin(), loads.fromSources.end(), 0.0);
    const double elapsed = numberOf(results, "elapsed_s");
    const bool hasWindow = !std::isnan(throughput) && items > 0 && !countsMoreThanThroughput(results);
    loads.isWholeRun = !hasWindow;
    loads.windowSeconds = hasWindow ? numberOf(results, "window_s") : elapsed;
    loads.perItem = hasWindow ? throughput / items : elapsed > 0 ? 1 / elapsed : 0;
}

void addWorker(BlockLoad& load, const QString& worker, const QHash<QString, WorkerTime>& times) {
    if (worker.isEmpty()) return;
    if (!load.workers.contains(worker)) load.workers.append(worker);
    const WorkerTime time = times.value(worker);
    // Of one thread, more than the elapsed time is an error of the clocks.
    const double share = time.threads > 1 ? time.onCpu : std::min(time.onCpu, 1.0);
    if (share <= load.workerLoad) return;
    load.workerLoad = share;
    load.workerThreads = time.threads;
}

/// Sets the busiest worker, which limits the others, and the block that takes most of its time.
void findBusiest(const Json& blocks, double elapsed, RunLoads& loads) {
    QHash<QString, double> workers;
    std::map<std::pair<QString, QString>, double> parts;
    for (const Json& block : blocks) {
        const double busy = numberOf(block, "busy_ns");
        if (std::isnan(busy)) continue;
        const QString worker = string(block, "worker");
        workers[worker] += busy;
        parts[{worker, blockOf(string(block, "id"))}] += busy;
    }
    QString worker;
    double most = 0, largest = 0;
    for (auto it = workers.constBegin(); it != workers.constEnd(); ++it)
        if (it.value() > most || (it.value() == most && it.key() < worker)) {
            most = it.value();
            worker = it.key();
        }
    for (const auto& [key, busy] : parts)
        if (key.first == worker && busy > largest) {
            largest = busy;
            loads.busiest = key.second;
        }
    if (!loads.hasWork() || elapsed <= 0) return;
    loads.worked = most * 1e-9 / elapsed;
    loads.busiestWorker = worker;
    for (auto it = workers.constBegin(); it != workers.constEnd(); ++it)
        if (!it.key().isEmpty()) loads.atWork.insert(it.key(), it.value() * 1e-9 / elapsed);
}

}  // namespace

QString blockOf(const QString& instance) {
    qsizetype end = instance.indexOf(u'[');
    if (end < 0) end = instance.indexOf(u'@');
    return end < 0 ? instance : instance.left(end);
}

QHash<QString, QString> workersOf(const Json& results) {
    QHash<QString, QString> workers;
    for (const Json& block : list(member(results, "blocks")))
        workers.insert(string(block, "id"), string(block, "worker"));
    return workers;
}

QHash<QString, WorkerTime> workerTimes(const Json& results) {
    QHash<QString, WorkerTime> found;
    const double elapsed = numberOf(results, "elapsed_s");
    const QStringList workers = workersOf(results).values();
    for (const Json& thread : list(member(results, "threads"))) {
        const QString name = string(thread, "name");
        const double share = numberOf(thread, "cpu_time_s") / elapsed;
        if (!(share >= 0) || std::isinf(share)) continue;
        WorkerTime& time = found[workers.contains(name) ? name : name.section(u'/', 0, 0)];
        time.onCpu = std::max(time.onCpu, 0.0) + share;
        ++time.threads;
    }
    return found;
}

bool isWithinWorker(const Json& edge, const QHash<QString, QString>& workers) {
    const QString worker = workers.value(instanceOf(edge, "from"));
    return !worker.isEmpty() && worker == workers.value(instanceOf(edge, "to"));
}

int heatStep(double share, double largest) {
    if (!(largest > 0) || !(share > 0)) return 0;
    return std::clamp(static_cast<int>(std::ceil(share / largest * 5 - 1e-9)) - 1, 0, 4);
}

bool RunLoads::hasCalls() const {
    return std::any_of(blocks.begin(), blocks.end(), [](const BlockLoad& load) { return load.itemsPerCall >= 0; });
}

bool RunLoads::hasSeveralWorkers() const {
    QSet<QString> workers;
    for (const BlockLoad& load : blocks) workers.unite(QSet<QString>(load.workers.begin(), load.workers.end()));
    return workers.size() > 1;
}

/// Return the items in, or the items out for a block without inputs.
double RunLoads::itemsOf(const Json& block) const {
    const double in = numberOf(block, "items_in");
    return fromSources.value(string(block, "id"), in > 0 ? in : numberOf(block, "items_out"));
}

RunLoads loadsOf(const Json& results) {
    RunLoads loads;
    findWindow(results, loads);
    const Json& blocks = list(member(results, "blocks"));
    const double elapsed = numberOf(results, "elapsed_s");
    const QHash<QString, WorkerTime> times = workerTimes(results);
    double total = 0;
    QHash<QString, double> items, calls;
    QHash<QString, QHash<QString, double>> flows;  // block -> pipe -> items of one copy
    for (const Json& block : blocks) {
        const QString id = string(block, "id");
        const QString name = blockOf(id);
        BlockLoad& load = loads.blocks[name];
        ++load.instances;
        addWorker(load, string(block, "worker"), times);
        if (const double through = loads.itemsOf(block); !std::isnan(through)) {
            items[name] += through;
            double& flow = flows[name][pipeOf(id)];
            flow = std::max(flow, through);
        }
        if (const double made = numberOf(block, "calls"); made > 0) calls[name] += made;
        const double busy = numberOf(block, "busy_ns");
        if (std::isnan(busy)) continue;
        total += busy;
        load.busyNs += busy;
        load.share = 0;
        if (const double part = busy * 1e-9 / elapsed; part > load.busiest) {
            load.busiest = part;
            load.busiestInstance = id;
        }
    }
    for (auto it = loads.blocks.begin(); it != loads.blocks.end(); ++it) {
        BlockLoad& load = it.value();
        const double through = items.value(it.key());
        if (load.share >= 0 && total > 0) load.share = load.busyNs / total;
        if (load.share >= 0 && through > 0) load.nsPerItem = load.busyNs / through;
        if (calls.value(it.key()) > 0) load.itemsPerCall = through / calls.value(it.key());
        const auto flow = flows.constFind(it.key());
        if (flow != flows.constEnd() && loads.perItem > 0)
            load.itemsPerSecond = std::accumulate(flow->begin(), flow->end(), 0.0) * loads.perItem;
        load.heat = heatStep(load.share, 1);
    }
    findBusiest(blocks, elapsed, loads);
    addWires(results, loads);
    return loads;
}

}  // namespace weir::editor
