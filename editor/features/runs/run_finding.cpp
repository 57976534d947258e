#include "features/runs/run_finding.h"

#include "core/text/texts.h"
#include "core/text/value_text.h"

namespace weir::editor {

QString findingOf(const RunLoads& loads) {
    if (loads.hasWork()) {
        const BlockLoad load = loads.blocks[loads.busiest];
        if (!loads.bottleneck().isEmpty())
            return ResultsText::tr("The slowest block is %1: %2 of all work time.")
                .arg(loads.busiest, shareText(load.share));
        const bool isLongest = loads.busiestWorker.isEmpty() || loads.busiestWorker == load.busiestInstance;
        return (isLongest ? ResultsText::tr("%1 worked longest: %2 of all work, %3 of the run. Workers mostly waited, "
                                            "or had no CPU.")
                          : ResultsText::tr("On the busiest worker, %1 worked longest: %2 of all work, %3 of the run. "
                                            "Workers mostly waited, or had no CPU."))
            .arg(loads.busiest, shareText(load.share), shareText(load.busiest));
    }
    if (loads.blocks.isEmpty()) return {};
    if (!loads.hasCalls())
        return ResultsText::tr("This run has no counts per block. A profile shows which block is slow.");
    return loads.hasSeveralWorkers() ? ResultsText::tr("A profile shows which block and worker are slow.")
                                     : ResultsText::tr("A profile shows which block is slow.");
}

QString togetherText(const RunLoads& loads) {
    const int sources = static_cast<int>(loads.fromSources.size());
    return sources > 1 ? ResultsText::tr("%n source(s) together", nullptr, sources) : QString();
}

QString backPressureText() { return ResultsText::tr("back pressure: its reader is slower than its writer"); }

QString withinWorkerText() {
    return ResultsText::tr(
        "within one worker, where the fill means nothing: the buffer is drained before it is filled again");
}

} // namespace weir::editor
