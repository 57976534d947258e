#pragma once

#include "core/graph/graph_scene.h"

namespace weir::editor {

/// The rows of a block: what the file sets and what is required, in the descriptor's order. Those that are as they would
/// be anyway come last, since rows are left out from the end. Where these are few, the first defaults follow: a block does not
/// become empty when something is set.
void showParameters(BlockView& view, const Json& set, const BlockType* type);

}  // namespace weir::editor
