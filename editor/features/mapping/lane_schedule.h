#pragma once

#include "features/mapping/bar_layout.h"

namespace weir::editor {

/// What the worker repeats: its calls as bars in their order, then what was put onto it since; and, while it is as
/// planned, the places of its arena and its rings to other workers, not laid out yet.
void fillFrom(const PlannedSection& section, const PlannedWorker& worker, LaneRow& row, const InstanceIndex& known,
              const LaneInput& input);

/// Puts arena and rings below the bars of the row; says how high they are.
double placeBuffers(LaneRow& row, double top, double width);

} // namespace weir::editor
