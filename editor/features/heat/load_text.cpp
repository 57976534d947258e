#include "features/heat/load_text.h"

#include "core/text/texts.h"
#include "core/text/value_text.h"

#include <algorithm>

namespace weir::editor {
namespace {

QString countText(double count) {
    const bool hasPart = count < 10 && count != std::floor(count);
    return hasPart ? QString::number(count, 'f', 1) : groupedDigits(QString::number(count, 'f', 0));
}

constexpr qsizetype kShortNames = 6; ///< letters of two worker names that fit in a pill

bool isOwn(const QString& block, const BlockLoad& load) {
    return load.workers.size() == 1 && load.workers.constFirst() == block;
}

/// Return `w0`, `w0 w1` or `3 workers`; `own` for a worker with the name of its only block.
QString workerText(const QString& block, const BlockLoad& load) {
    const QString names = load.workers.join(u' ');
    return load.workers.size() == 2 && names.size() <= kShortNames ? names
           : load.workers.size() > 1 ? ResultsText::tr("%n worker(s)", nullptr, static_cast<int>(load.workers.size()))
           : isOwn(block, load)      ? ResultsText::tr("own")
                                     : load.workers.constFirst();
}

/// Return whether the block has one worker, whose name is not that of the block.
bool namesWorker(const QString& block, const BlockLoad& load) {
    return load.workers.size() == 1 && !isOwn(block, load);
}

/// Return whether the pill shows the load of the block's workers.
bool showsWorkers(const BlockLoad& load) { return load.share < 0 && load.workerLoad >= 0; }

/// Return the facts, most important first: a narrow block leaves out the last ones.
QStringList factsOf(const RunLoads& loads, const QString& block, const BlockLoad& load) {
    QStringList facts;
    if (block == loads.bottleneck()) facts.append(ResultsText::tr("bottleneck"));
    if (load.itemsPerSecond >= 0) facts.append(throughputText(load.itemsPerSecond));
    if (load.share < 0 && load.itemsPerCall >= 0) // the pill shows the share
        facts.append(ResultsText::tr("%1 per call").arg(countText(load.itemsPerCall)));
    return facts;
}

QStringList workHints(const RunLoads& loads, const QString& block, const BlockLoad& load) {
    QStringList hint;
    if (load.share >= 0)
        hint.append(load.instances > 1
                        ? ResultsText::tr("%1 of all work time, all %n instance(s) together", nullptr, load.instances)
                              .arg(shareText(load.share))
                        : ResultsText::tr("%1 of all work time").arg(shareText(load.share)));
    if (load.busiest >= 0)
        hint.append(load.instances > 1
                        ? ResultsText::tr("The busiest instance, %1, worked for %2 of the run")
                              .arg(load.busiestInstance, shareText(load.busiest))
                        : ResultsText::tr("The block worked for %1 of the run").arg(shareText(load.busiest)));
    if (load.nsPerItem >= 0)
        hint.append(ResultsText::tr("%1 per item").arg(siText(load.nsPerItem * 1e-9, QStringLiteral("s"))));
    if (block == loads.bottleneck())
        hint.append(ResultsText::tr("Bottleneck: takes most of the time of the busiest worker"));
    return hint;
}

QString hintOf(const RunLoads& loads, const QString& block, const BlockLoad& load) {
    QStringList hint = workHints(loads, block, load);
    if (load.itemsPerSecond >= 0)
        hint.append((loads.isWholeRun ? ResultsText::tr("%1 through the block, over the whole run of %2")
                                      : ResultsText::tr("%1 through the block, in the run's window of %2"))
                        .arg(throughputText(load.itemsPerSecond), siText(loads.windowSeconds, QStringLiteral("s"))));
    if (load.itemsPerCall >= 0)
        hint.append(ResultsText::tr("%1 items per call on average").arg(countText(load.itemsPerCall)));
    if (load.workerLoad >= 0)
        hint.append((load.workers.size() > 1
                         ? ResultsText::tr("Workers %1: the busiest was on its CPU for %2 of the run")
                     : load.workerThreads > 1
                         ? ResultsText::tr("Worker %1: its %n threads together were on CPUs for %2 of the run", nullptr,
                                           load.workerThreads)
                         : ResultsText::tr("Worker %1: on its CPU for %2 of the run"))
                        .arg(load.workers.join(QStringLiteral(", ")), shareText(load.workerLoad)));
    return hint.join(u'\n');
}

/// Return whether a pill of a profiled run names a worker that not all blocks share.
bool tellsWorkersApart(const RunLoads& loads) {
    const auto blocks = loads.blocks.asKeyValueRange();
    return !haveOneWorker(loads) && std::any_of(blocks.begin(), blocks.end(), [](const auto& block) {
        return namesWorker(block.first, block.second);
    });
}

} // namespace

bool haveOneWorker(const RunLoads& loads) {
    const QStringList first = loads.blocks.isEmpty() ? QStringList() : loads.blocks.constBegin()->workers;
    return loads.blocks.size() > 1 && first.size() == 1 &&
           std::all_of(loads.blocks.constBegin(), loads.blocks.constEnd(), [&first](const BlockLoad& load) {
               return (load.share >= 0 || load.workerLoad >= 0) && load.workers == first;
           });
}

ShownLoad shownLoad(const RunLoads& loads, const QString& block, const BlockLoad& load, bool isAlone) {
    ShownLoad shown{-1, {}, factsOf(loads, block, load), hintOf(loads, block, load), block == loads.bottleneck(), {}};
    if (load.share >= 0) {
        shown.heat = load.heat;
        shown.brief = shareText(load.share);
        shown.pill = namesWorker(block, load) && !isAlone
                         ? shown.brief + QStringLiteral(" · ") + workerText(block, load)
                         : shown.brief;
    } else if (showsWorkers(load) && !isAlone) {
        shown.brief = shareText(load.workerLoad);
        shown.pill = workerText(block, load) + u' ' + shown.brief;
    }
    return shown;
}

Facts pillKinds(const RunLoads& loads) {
    if (loads.hasWork())
        return tellsWorkersApart(loads) ? Facts{{ResultsText::tr("share · worker"),
                                                 ResultsText::tr("share of all work time, and the block's worker")}}
                                        : Facts{};
    if (haveOneWorker(loads)) {
        const BlockLoad& any = *loads.blocks.constBegin();
        return {{any.workers.constFirst() + u' ' + shareText(any.workerLoad),
                 ResultsText::tr("the worker of all blocks: its time on a CPU, at work or spinning")}};
    }
    bool named = false, own = false, several = false;
    for (auto it = loads.blocks.constBegin(); it != loads.blocks.constEnd(); ++it) {
        if (!showsWorkers(*it)) continue;
        several |= it->workers.size() > 1;
        own |= isOwn(it.key(), *it);
        named |= namesWorker(it.key(), *it);
    }
    Facts kinds;
    if (named)
        kinds.push_back({ResultsText::tr("worker · load"),
                         ResultsText::tr("the block's worker, and that worker's time on a CPU, at work or spinning")});
    if (own)
        kinds.push_back({ResultsText::tr("own · load"),
                         ResultsText::tr("a worker of its own: its time on a CPU, at work or spinning")});
    if (several)
        kinds.push_back(
            {ResultsText::tr("workers · load"), ResultsText::tr("several workers: the time of the busiest on a CPU")});
    return kinds;
}

QString busiestWorkerText(const RunLoads& loads) {
    return loads.hasWork() && tellsWorkersApart(loads)
               ? ResultsText::tr("The busiest worker is %1: its blocks worked for %2 of the run.")
                     .arg(loads.busiestWorker, shareText(loads.worked))
               : QString();
}

} // namespace weir::editor
