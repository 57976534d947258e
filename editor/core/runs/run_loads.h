#pragma once

#include "json.h"
#include "project_edits.h"

#include <QHash>
#include <QString>

#include <map>
#include <optional>

namespace weir::editor {

/// What a block of the flowgraph took in a run, over all its instances: repeats, pipes and groups.
struct BlockLoad
{
    int instances = 0;
    double share = -1;       ///< of the work time of all blocks, all instances together; negative: not measured
    double busiest = -1;     ///< share of its run that the busiest instance worked
    QString busiestInstance;
    double busyNs = 0;
    double itemsPerSecond = -1; ///< of the pipes together; copies in series pass on the same items
    double nsPerItem = -1;
    int heat = 0; ///< 0 to 4: share of the hottest block's
};

/// The buffer behind a connection, over the instances of it.
struct WireLoad
{
    double fill = -1; ///< mean of the fills; negative: not measured
    double fullest = -1;
    double bufferItems = 0; ///< of one
    int streams = 0;
};

struct RunLoads
{
    QHash<QString, BlockLoad> blocks;
    std::map<Connection, WireLoad> wires;
    QString bottleneck; ///< the block that takes most of the time of the busiest worker

    bool hasWork() const { return !bottleneck.isEmpty(); }
    bool hasFill() const { return !wires.empty(); }
};

/// The block of an instance: `stage` of `stage[2]@p3`.
QString blockOf(const QString &instance);
/// Which of the five steps a share has, as part of the largest.
int heatStep(double share, double largest);
RunLoads loadsOf(const Json &results);

} // namespace weir::editor
