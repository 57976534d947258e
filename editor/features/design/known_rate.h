#pragma once

#include "core/graph/graph_scene.h"

namespace weir::editor {

/// Return the item rate at which the block computes, in Hz, as a number or an expression; null if unknown. Take it from
/// rates that are set in blocks upstream, else from the project's parameter, else from the defaults of those blocks.
Json knownRate(const GraphScene& scene, const Json& project, const QString& block);

}  // namespace weir::editor
