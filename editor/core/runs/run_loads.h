#pragma once

#include "core/edits/project_edits.h"
#include "core/json/json.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <cmath>
#include <map>
#include <optional>

namespace weir::editor {

/// Cost of a block of the flowgraph in a run, over all its instances: repeats, pipes and groups.
struct BlockLoad {
    int instances = 0;
    double share = -1;       ///< of the work time of all blocks, all instances together; negative: not measured
    double busiest = -1;     ///< share of its run that the busiest instance worked
    QString busiestInstance;
    double busyNs = 0;
    double itemsPerSecond =
        -1; ///< in the run's window, of the pipes together; copies in series pass on the same items
    double itemsPerCall = -1;   ///< the mean over all calls; negative: not measured
    double nsPerItem = -1;
    QStringList workers;     ///< that run it, none where it moves between them
    double workerLoad = -1;  ///< CPU time of the busiest of them, of the elapsed time
    int heat = 0; ///< 0 to 4: of its share
};

/// The buffer behind a connection, over the instances of it. Within a worker it is filled and emptied in turns, so that
/// its fill says nothing: only streams between workers count.
struct WireLoad {
    double fill = -1;  ///< mean of the fills; negative: all streams are within a worker
    double fullest = -1;
    double bufferItems = 0;  ///< of one
    int streams = 0;  ///< between workers
    int within = 0;  ///< within a worker

    bool hasFill() const { return streams > 0; }
};

struct RunLoads {
    QHash<QString, BlockLoad> blocks;
    std::map<Connection, WireLoad> wires;
    QString busiest;  ///< the block that takes most of the time of the busiest worker
    QString busiestWorker;  ///< that has most work; empty: blocks move between them, or it was not measured
    QHash<QString, double> atWork;  ///< worker -> part of the run in which one of its blocks worked, by the clock
    double worked = -1;  ///< that of the busiest worker
    double windowSeconds = 0;  ///< what rates are of
    double perItem = 0;  ///< items/s of each item that passed in the whole run
    QHash<QString, double> fromSources;  ///< source -> items that count of it

    bool hasWork() const { return !busiest.isEmpty(); }
    /// The busiest block, unless its worker waited for most of the run; else none holds the others up.
    QString bottleneck() const { return worked >= 0.5 ? busiest : QString(); }
    bool hasFill() const { return !wires.empty(); }
    bool hasCalls() const;
    bool hasSeveralWorkers() const;
    /// Items that went through an instance in the whole run, of its entry in the results; NaN: not counted.
    double itemsOf(const Json& block) const;
    /// Items per second, in the window.
    double rateOf(const Json& block) const { return perItem > 0 ? itemsOf(block) * perItem : std::nan(""); }
};

/// The block of an instance: `stage` of `stage[2]@p3`.
QString blockOf(const QString& instance);
/// Instance -> its worker; empty where it moves between them.
QHash<QString, QString> workersOf(const Json& results);
/// Both ends of a stream are on one worker, which fills and empties its buffer in turns.
bool isWithinWorker(const Json& edge, const QHash<QString, QString>& workers);
/// Return which of the five steps a share has, as part of the largest.
int heatStep(double share, double largest);
RunLoads loadsOf(const Json& results);

}  // namespace weir::editor
