#pragma once

#include "core/tuning/tune_answer.h"

#include <QHash>
#include <QString>

#include <vector>

namespace weir::editor {

/// Instances of one block, or of several by a pattern, that would change their worker. A worker without a name is any
/// worker: blocks move between them.
struct TuneMove {
    QString pattern = {};  ///< stage[0..1], *@p1
    QString block = {};  ///< its first block
    QString from = {};
    QString to = {};
};

/// One way of instances of a block, between two workers.
struct BlockMove {
    QString from = {};
    QString to = {};
    int fromNumber = -1;  ///< index of the worker in its plan; -1: any
    int toNumber = -1;

    bool operator==(const BlockMove&) const = default;
};

/// Moves of one block: each way once, with its number of instances.
struct BlockMoves {
    std::vector<BlockMove> ways = {};
    int moved = 0;
    int instances = 0;
};

/// Return the moves between two plans. Workers with the same name are the same; other workers are paired by most shared
/// instances, since a mere change of name moves nothing.
std::vector<TuneMove> tuneMoves(const TunedPlan& from, const TunedPlan& to);

/// Return the moves by block, for blocks that move.
QHash<QString, BlockMoves> blockMoves(const TunedPlan& from, const TunedPlan& to);

/// Return the instance of a name: `stage[2]@p1` is copy 2 of the block `stage` in pipe 1.
PlannedInstance instanceNamed(const QString& name);

}  // namespace weir::editor
