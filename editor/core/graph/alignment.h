#pragma once

#include "core/graph/graph_scene.h"

#include <string>
#include <utility>
#include <vector>

namespace weir::editor {

enum class Alignment { Left, Centre, Right, Top, Middle, Bottom };
enum class Direction { Horizontal, Vertical };

using Placement = std::vector<std::pair<std::string, QPointF>>;

/// Return new upper left corners, only of blocks that move.
Placement aligned(const std::vector<BlockView>& blocks, Alignment alignment);
/// Makes the gaps between neighbours equal; the first and the last block stay.
Placement distributed(std::vector<BlockView> blocks, Direction direction);
/// Moves the blocks downstream of `first` to the right, until all are at least a gap away from the box.
Placement roomFor(const GraphScene& scene, const QRectF& box, const QString& first);

} // namespace weir::editor
