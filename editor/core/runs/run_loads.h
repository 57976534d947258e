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

/// Cost of a block in a run, over all its instances: repeats, pipes and groups.
struct BlockLoad {
    int instances = 0;
    double share = -1;       ///< all instances' part of the work time of all blocks; negative: not measured
    double busiest = -1;     ///< work time of the busiest instance, as a share of the run
    QString busiestInstance;
    double busyNs = 0;
    double itemsPerSecond = -1; ///< items/s in the window, summed over pipes; copies in series pass the same items
    double itemsPerCall = -1;   ///< mean over all calls; negative: not measured
    double nsPerItem = -1;
    QStringList workers;     ///< workers that run it; empty if it moves between them
    double workerLoad = -1;  ///< CPU time of its busiest worker, as a share of the elapsed time
    int workerThreads = 0;   ///< threads of that worker: `WorkerTime`
    int heat = 0; ///< 0 to 4, from `share`
};

/// Buffer of a connection, over its instances. A worker fills and drains its own buffers in turns, so their fill means
/// nothing: only streams between workers count.
struct WireLoad {
    double fill = -1;  ///< mean of the fills; negative: no stream is between workers
    double fullest = -1;
    double bufferItems = 0;  ///< of one buffer
    int streams = 0;  ///< streams between workers
    int within = 0;  ///< streams within a worker

    bool hasFill() const { return streams > 0; }
};

struct RunLoads {
    QHash<QString, BlockLoad> blocks;
    std::map<Connection, WireLoad> wires;
    QString busiest;  ///< the block that takes most of the busiest worker's time
    QString busiestWorker;  ///< worker with most work; empty: blocks move between workers, or it was not measured
    QHash<QString, double> atWork;  ///< worker -> share of the run's elapsed time in which its blocks worked
    double worked = -1;  ///< `atWork` of the busiest worker
    double windowSeconds = 0;  ///< length of the window that rates refer to
    bool isWholeRun = false;  ///< that window is the whole run, not the window of the throughput
    double perItem = 0;  ///< items/s in the window for each item of the whole run
    QHash<QString, double> fromSources;  ///< source -> its items that count

    bool hasWork() const { return !busiest.isEmpty(); }
    /// Return the busiest block, if its worker worked at least half of the run; otherwise no block limits the others.
    QString bottleneck() const { return worked >= 0.5 ? busiest : QString(); }
    bool hasFill() const { return !wires.empty(); }
    bool hasCalls() const;
    bool hasSeveralWorkers() const;
    /// Return the items through an instance in the whole run, by its entry in the results; NaN: not counted.
    double itemsOf(const Json& block) const;
    /// Return items/s in the window.
    double rateOf(const Json& block) const { return perItem > 0 ? itemsOf(block) * perItem : std::nan(""); }
};

/// CPU time of a worker. A hierarchical block of GNU Radio is one worker, but each block within it has a thread, which
/// is called `worker/…`.
struct WorkerTime {
    double onCpu = -1;  ///< of all its threads together, as a share of the elapsed time; negative: not measured
    int threads = 0;
};

/// Return the block of an instance: `stage` for `stage[2]@p3`.
QString blockOf(const QString& instance);
/// Return instance -> worker; empty if it moves between workers.
QHash<QString, QString> workersOf(const Json& results);
/// True if one worker runs both ends of a stream, and so fills and drains its buffer in turns.
bool isWithinWorker(const Json& edge, const QHash<QString, QString>& workers);
/// Return the step (0 to 4) of a share, relative to the largest.
int heatStep(double share, double largest);
/// Return worker -> CPU time.
QHash<QString, WorkerTime> workerTimes(const Json& results);
RunLoads loadsOf(const Json& results);

}  // namespace weir::editor
