#pragma once

#include "core/graph/graph_scene.h"

namespace weir::editor {

/// Fills the rows of a block: values of the file and required ones, in the descriptor's order. Values equal to the
/// default come last, since the last rows are cut first. If there are few rows, the first defaults follow, so setting a
/// value never empties a block.
void showParameters(BlockView& view, const Json& set, const BlockType* type);

}  // namespace weir::editor
