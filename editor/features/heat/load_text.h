#pragma once

#include "core/rows/fact.h"
#include "core/runs/run_loads.h"

#include <QStringList>
#include <QVariantMap>

namespace weir::editor {

/// Numbers of a run for a block.
struct ShownLoad {
    int heat = -1; ///< of its header, 0 to 4; negative: none
    QString pill;
    QStringList facts; ///< below the block, most important first
    QString hint;
    bool bottleneck = false;
    QString brief; ///< of the pill, if names of workers do not fit

    /// Return the numbers as a role of the block model.
    QVariantMap said() const {
        return {{QStringLiteral("heat"), heat},   {QStringLiteral("pill"), pill},
                {QStringLiteral("facts"), facts}, {QStringLiteral("hint"), hint},
                {QStringLiteral("brief"), brief}, {QStringLiteral("bottleneck"), bottleneck}};
    }
};

/// Return the numbers of a run for a block, in the words and colours of the canvas: its share of the work time and its
/// worker, if measured; else its items per call and, without a colour, the load of its worker. A worker that all blocks
/// share (`isAlone`) is left out: each block would seem to have that load.
ShownLoad shownLoad(const RunLoads& loads, const QString& block, const BlockLoad& load, bool isAlone);
/// Return whether there are several blocks, and all measured ones share one worker.
bool haveOneWorker(const RunLoads& loads);
/// Return the kinds of pills on these blocks, each once: a text in the shape of a pill, and its meaning. If there is
/// only one worker, which no pill shows, return its load.
Facts pillKinds(const RunLoads& loads);
/// Return the sentence for a profiled run in which several workers have several blocks; else empty.
QString busiestWorkerText(const RunLoads& loads);

}  // namespace weir::editor
