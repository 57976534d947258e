#pragma once

#include "core/json/json.h"

#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace weir::editor {

/// One instance of a block. `copy` is -1 if the block has no copies, `pipe` if the graph has no pipes.
struct PlannedInstance {
    QString name = {};
    QString block = {};
    QString type = {};
    QString worker = {}; ///< empty if instances move between the workers
    QString job = {};
    int copy = -1;
    int pipe = -1;
    qint64 chunkItems = 0;
    std::vector<qint64> inRates = {}; ///< items per firing, by port
    std::vector<qint64> outRates = {};
};

struct PlannedWorker {
    QString name = {};
    std::optional<std::vector<int>> requested = {}; ///< nothing: the deployment names no CPU
    std::vector<int> cpus = {};                     ///< empty: not pinned
    QStringList instances = {};
    QString scheduling = {};                        ///< `fifo 80`; empty: as in the deployment
};

struct PlannedJob {
    QString name = {};
    QStringList instances = {};
};

struct PlannedStream {
    QString from = {}; ///< instance.port
    QStringList readers = {};
    QString kind = {};
    std::optional<qint64> requestedItems = {};
    qint64 items = 0;
    qint64 bytes = 0;
    qint64 leastItems = 0; ///< smallest size of a ring that grows; 0: fixed size
    QString arena = {};    ///< worker whose arena holds it, if there is a worker schedule
    qint64 offset = 0;     ///< bytes from the beginning of the arena
    QString over = {};     ///< the stream whose memory it shares, because its writer works in place

    QString writer() const { return from.section(u'.', 0, 0); }
};

/// A step of a worker schedule: a call with this many firings of one instance, a fused loop of several instances over
/// their items, or a loop of calls.
struct PlannedStep {
    QStringList instances = {};  ///< empty: a loop of calls
    qint64 times = 1;
    std::vector<PlannedStep> body = {};
};

/// Worker schedule, if it is fixed beforehand.
struct PlannedWorkerSchedule {
    QString worker = {};
    std::vector<PlannedStep> body = {};
    qint64 arenaBytes = 0;  ///< 0: no stream stays within the worker
};

/// Answer of `weir plan`, as far as the editor shows it.
struct PlanView {
    QString deployment = {};
    QString scheduler = {};
    QString strategy = {};  ///< empty: the scheduler takes no placement
    QString scheduling = {};  ///< default of workers without their own
    QString numa = {};
    bool lockMemory = false;
    bool hugePages = false;
    std::vector<PlannedWorker> workers = {};
    std::vector<PlannedJob> jobs = {};
    std::vector<PlannedInstance> instances = {};
    std::vector<PlannedStream> streams = {};
    std::vector<PlannedWorkerSchedule> workerSchedules = {};  ///< empty for schedulers that decide at run time
    bool replicated = false;  ///< each worker runs the whole graph; all arenas equal the first

    /// Return whether blocks move between workers at run time.
    bool isDynamic() const { return !jobs.empty(); }
    const PlannedInstance* instance(const QString& name) const;
    const PlannedWorker* worker(const QString& name) const;
    const PlannedWorkerSchedule* workerSchedule(const QString& worker) const;
    QStringList instancesOf(const QString& block) const;
};

std::optional<PlanView> planFrom(const Json* answer);

/// "2" or "0, 1".
QString cpuList(const std::vector<int>& cpus);

}  // namespace weir::editor
