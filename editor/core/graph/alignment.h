#pragma once

#include "core/graph/graph_scene.h"

#include <string>
#include <utility>
#include <vector>

namespace weir::editor {

enum class Alignment { Left, Centre, Right, Top, Middle, Bottom };
enum class Direction { Horizontal, Vertical };

using Placement = std::vector<std::pair<std::string, QPointF>>;

/// New upper left corners. Only blocks that move are in the answer.
Placement aligned(const std::vector<BlockView>& blocks, Alignment alignment);
/// Equal gaps between neighbours; the first and the last stay.
Placement distributed(std::vector<BlockView> blocks, Direction direction);
/// Moves what lies downstream of `first` to the right, so that nothing of it is nearer than a gap to the box.
Placement roomFor(const GraphScene& scene, const QRectF& box, const QString& first);

} // namespace weir::editor
