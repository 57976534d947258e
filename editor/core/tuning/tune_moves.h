#pragma once

#include "core/tuning/tune_answer.h"

#include <QHash>
#include <QString>

#include <vector>

namespace weir::editor {

/// Instances of one block, or of several by a pattern, that would run on another worker. A worker without a name: any, as
/// blocks move between them.
struct TuneMove {
    QString pattern = {};  ///< stage[0..1], *@p1
    QString block = {};  ///< the first that it is about
    QString from = {};
    QString to = {};
};

/// A way that instances of a block would go.
struct BlockMove {
    QString from = {};
    QString to = {};
    int fromNumber = -1;  ///< of the worker in its plan; -1: any
    int toNumber = -1;

    bool operator==(const BlockMove&) const = default;
};

/// Moves of one block: each way once, and how many of its instances move.
struct BlockMoves {
    std::vector<BlockMove> ways = {};
    int moved = 0;
    int instances = 0;
};

/// Workers of one name are one. Those of other names are paired with whom they share the most instances: that a worker is
/// called otherwise moves nothing.
std::vector<TuneMove> tuneMoves(const TunedPlan& from, const TunedPlan& to);

/// Moves by block, for the blocks that move.
QHash<QString, BlockMoves> blockMoves(const TunedPlan& from, const TunedPlan& to);

/// `stage[2]@p1` is copy 2 of the block `stage` in pipe 1.
PlannedInstance instanceNamed(const QString& name);

}  // namespace weir::editor
