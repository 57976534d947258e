#pragma once

#include "core/graph/graph_scene.h"

/// Shape and free place of a block before it exists.
namespace weir::editor {

/// Upper left corners and ports lie on the grid.
QPointF snapped(QPointF point);
BlockView futureBlock(const BlockType& type, const std::string& id);
/// Return the place of the port with this id, in the order in which ports are drawn.
int portIndex(const QList<PortView>& ports, const std::string& id);
/// The box, not nearer to the block before it than a gap.
QRectF clearOf(QRectF box, const BlockView* before);
/// The corner of `block` beside `neighbour`, to its right or its left: where `port`, one of its own, is level with
/// `neighbourPort`; without ports, where their upper edges are.
QPointF cornerBeside(const BlockView& block, const BlockView& neighbour, bool right, int port = 0,
                     int neighbourPort = 0);

} // namespace weir::editor
