#pragma once

#include "core/graph/graph_scene.h"

namespace weir::editor {

/// Items a second where the block computes, in Hz: a number or an expression. What the blocks that feed it say of their
/// rates, else the project's parameter for that, else what those blocks have without being told; null: not known.
Json knownRate(const GraphScene& scene, const Json& project, const QString& block);

}  // namespace weir::editor
