#pragma once

#include "json.h"

#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace weir::editor {

/// One instance of a block: `copy` and `pipe` are -1 where the block has no copies, the graph no pipes.
struct PlannedInstance
{
    QString name = {};
    QString block = {};
    QString type = {};
    QString worker = {}; ///< empty where jobs move between the workers
    QString job = {};
    int copy = -1;
    int pipe = -1;
    qint64 chunkItems = 0;
};

struct PlannedWorker
{
    QString name = {};
    std::optional<std::vector<int>> requested = {}; ///< nothing where the deployment names no CPU
    std::vector<int> cpus = {};                     ///< empty: not pinned
    QStringList instances = {};
};

struct PlannedJob
{
    QString name = {};
    QStringList instances = {};
};

struct PlannedStream
{
    QString from = {}; ///< instance.port
    QStringList readers = {};
    QString kind = {};
    std::optional<qint64> requestedItems = {};
    qint64 items = 0;
    qint64 bytes = 0;
    qint64 leastItems = 0; ///< of a ring that grows while it is fast: from here; 0: it does not
};

/// What `weir plan` answered, as far as the editor shows it.
struct PlanView
{
    QString deployment = {};
    QString scheduler = {};
    QString strategy = {}; ///< empty where the scheduler takes no placement
    QString policy = {};
    QString numa = {};
    int priority = 0;
    bool lockMemory = false;
    bool hugePages = false;
    std::vector<PlannedWorker> workers = {};
    std::vector<PlannedJob> jobs = {};
    std::vector<PlannedInstance> instances = {};
    std::vector<PlannedStream> streams = {};

    /// Whether blocks move between workers while they run.
    bool isDynamic() const { return !jobs.empty(); }
    const PlannedInstance *instance(const QString &name) const;
    const PlannedWorker *worker(const QString &name) const;
    QStringList instancesOf(const QString &block) const;
};

std::optional<PlanView> planFrom(const Json *answer);

/// "2" or "0, 1".
QString cpuList(const std::vector<int> &cpus);

} // namespace weir::editor
