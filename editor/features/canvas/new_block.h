#pragma once

#include "core/graph/graph_scene.h"

/// Shape and free position of a block before it exists.
namespace weir::editor {

/// Snap to the grid, on which upper left corners and ports lie.
QPointF snapped(QPointF point);
BlockView futureBlock(const BlockType& type, const std::string& id);
/// Return the position of the port with this id in the drawing order of the ports.
int portIndex(const QList<PortView>& ports, const std::string& id);
/// Move the box at least a gap away from the block before it.
QRectF clearOf(QRectF box, const BlockView* before);
/// Return the corner of `block` at the right or left of `neighbour`, where its `port` is level with `neighbourPort`;
/// without ports, where the upper edges are level.
QPointF cornerBeside(const BlockView& block, const BlockView& neighbour, bool right, int port = 0,
                     int neighbourPort = 0);

} // namespace weir::editor
