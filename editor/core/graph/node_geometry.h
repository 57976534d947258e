#pragma once

#include "graph_scene.h"

#include <QSizeF>

namespace weir::editor::geometry {

// codegen/weir/read/reporting/scene.py has the same, and test_look.py compares them.
inline constexpr double kHeader = 40;
inline constexpr double kChip = 24;
inline constexpr double kNameX = 42; ///< where names begin, from the left of the block
inline constexpr double kPortPitch = 22;
inline constexpr double kParameterPitch = 18;
inline constexpr int kShownParameters = 3;
inline constexpr double kGrid = 20;

QSizeF blockSize(const BlockView& block);
/// Centre of the port, from the upper left corner of its block.
QPointF portOffset(const BlockView& block, int index, bool output);
double portY(int index);

} // namespace weir::editor::geometry
