#pragma once

#include "core/graph/graph_scene.h"
#include "core/look/look.h"

#include <QSizeF>

namespace weir::editor::geometry {

inline const double kGrid = look().grid;

QSizeF blockSize(const BlockView& block);
/// Return the centre of the port relative to the upper left corner of its block.
QPointF portOffset(const BlockView& block, int index, bool output);
double portY(int index);

} // namespace weir::editor::geometry
