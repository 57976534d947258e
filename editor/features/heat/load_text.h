#pragma once

#include "core/rows/fact.h"
#include "core/runs/run_loads.h"

#include <QStringList>
#include <QVariantMap>

namespace weir::editor {

/// What a run measured of a block, as it is shown on it.
struct ShownLoad {
    int heat = -1; ///< of its header, 0 to 4; negative: none
    QString pill;
    QStringList facts; ///< below the block, what matters most first
    QString hint;
    bool bottleneck = false;
    QString brief; ///< of the pill, where it has no room for names of workers

    /// As a role of the block model has it.
    QVariantMap said() const {
        return {{QStringLiteral("heat"), heat},   {QStringLiteral("pill"), pill},
                {QStringLiteral("facts"), facts}, {QStringLiteral("hint"), hint},
                {QStringLiteral("brief"), brief}, {QStringLiteral("bottleneck"), bottleneck}};
    }
};

/// What a run measured of a block, in the words and colours of the canvas: its share of the work time, and its worker,
/// where that was measured, else what it was given a call, and, without a colour, how busy its worker was. Nothing of a
/// worker that all blocks share (`isAlone`): on each of them it would be read as theirs.
ShownLoad shownLoad(const RunLoads& loads, const QString& block, const BlockLoad& load, bool isAlone);
/// Several blocks, and all that something is said of have one and the same worker.
bool haveOneWorker(const RunLoads& loads);
/// What the pills of these blocks say of workers: words in the shape of a pill, and what it means; each kind that there
/// is once. Of the only worker, which no pill tells of, its load.
Facts pillKinds(const RunLoads& loads);
/// Of a profiled run, where several workers have several blocks; else empty.
QString busiestWorkerText(const RunLoads& loads);

}  // namespace weir::editor
