#include "run_loads.h"

#include "run_record.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

/// `@p3` of an instance, empty without pipes.
QString pipeOf(const QString &instance)
{
    const qsizetype at = instance.indexOf(u'@');
    return at < 0 ? QString() : instance.mid(at);
}

/// Items that went through; what enters counts, where nothing does what leaves.
double itemsOf(const Json &block)
{
    const double in = numberOf(block, "items_in");
    return in > 0 ? in : numberOf(block, "items_out");
}

struct Port
{
    std::string block;
    std::string port;
};

Port portOf(const Json &edge, const char *key)
{
    const QString name = string(edge, key);
    const qsizetype dot = name.lastIndexOf(u'.');
    return {blockOf(name.left(dot)).toStdString(), name.mid(dot + 1).toStdString()};
}

void addWires(const Json &results, RunLoads &loads)
{
    for (const Json &edge : list(member(results, "edges"))) {
        const double fill = numberOf(edge, "fill_mean");
        if (std::isnan(fill))
            continue;
        const Port from = portOf(edge, "from"), to = portOf(edge, "to");
        WireLoad &wire = loads.wires[{from.block, from.port, to.block, to.port}];
        wire.fill = (std::max(wire.fill, 0.0) * wire.streams + fill) / (wire.streams + 1);
        wire.fullest = std::max(wire.fullest, fill);
        wire.bufferItems = numberOf(edge, "buffer_items");
        ++wire.streams;
    }
}

/// Where a worker has most to do it holds up the others; of its blocks, the one that takes most of its time.
QString findBottleneck(const Json &blocks)
{
    QHash<QString, double> workers;
    std::map<std::pair<QString, QString>, double> parts;
    for (const Json &block : blocks) {
        const double busy = numberOf(block, "busy_ns");
        if (std::isnan(busy))
            continue;
        const QString worker = string(block, "worker");
        workers[worker] += busy;
        parts[{worker, blockOf(string(block, "id"))}] += busy;
    }
    QString worker, found;
    double most = 0, largest = 0;
    for (auto it = workers.constBegin(); it != workers.constEnd(); ++it)
        if (it.value() > most || (it.value() == most && it.key() < worker)) {
            most = it.value();
            worker = it.key();
        }
    for (const auto &[key, busy] : parts)
        if (key.first == worker && busy > largest) {
            largest = busy;
            found = key.second;
        }
    return found;
}

} // namespace

QString blockOf(const QString &instance)
{
    qsizetype end = instance.indexOf(u'[');
    if (end < 0)
        end = instance.indexOf(u'@');
    return end < 0 ? instance : instance.left(end);
}

int heatStep(double share, double largest)
{
    if (!(largest > 0) || !(share > 0))
        return 0;
    return std::clamp(static_cast<int>(std::ceil(share / largest * 5 - 1e-9)) - 1, 0, 4);
}

RunLoads loadsOf(const Json &results)
{
    RunLoads loads;
    const Json &blocks = list(member(results, "blocks"));
    const double elapsed = numberOf(results, "elapsed_s");
    double total = 0;
    QHash<QString, double> items;
    QHash<QString, QHash<QString, double>> flows; // block -> pipe -> items of one copy
    for (const Json &block : blocks) {
        const QString id = string(block, "id");
        BlockLoad &load = loads.blocks[blockOf(id)];
        ++load.instances;
        if (const double through = itemsOf(block); !std::isnan(through)) {
            items[blockOf(id)] += through;
            double &flow = flows[blockOf(id)][pipeOf(id)];
            flow = std::max(flow, through);
        }
        const double busy = numberOf(block, "busy_ns");
        if (std::isnan(busy))
            continue;
        total += busy;
        load.busyNs += busy;
        load.share = 0;
        if (const double part = busy * 1e-9 / elapsed; part > load.busiest) {
            load.busiest = part;
            load.busiestInstance = id;
        }
    }
    double largest = 0;
    for (auto it = loads.blocks.begin(); it != loads.blocks.end(); ++it) {
        BlockLoad &load = it.value();
        if (load.share >= 0 && total > 0)
            load.share = load.busyNs / total;
        if (load.share >= 0 && items.value(it.key()) > 0)
            load.nsPerItem = load.busyNs / items.value(it.key());
        const auto flow = flows.constFind(it.key());
        if (flow != flows.constEnd() && elapsed > 0) {
            load.itemsPerSecond = 0;
            for (const double through : *flow)
                load.itemsPerSecond += through / elapsed;
        }
        largest = std::max(largest, load.share);
    }
    for (BlockLoad &load : loads.blocks)
        load.heat = heatStep(load.share, largest);
    loads.bottleneck = findBottleneck(blocks);
    addWires(results, loads);
    return loads;
}

} // namespace weir::editor
