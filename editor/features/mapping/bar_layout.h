#pragma once

#include "features/mapping/lane_layout.h"

namespace weir::editor {

using InstanceIndex = QHash<QString, const PlannedInstance*>;

/// Return a bar for each instance, or for all copies of a block, in their order.
std::vector<LaneBar> barsOf(const QStringList& instances, const InstanceIndex& known, const LaneInput& input);

/// Place the bars of a row side by side, in as many lines as necessary, with frames around loops. Returns their height.
double placeBars(LaneRow& row, double top, double width);

/// Start and end of the bars in a view of this width.
double barsLeft();
double barsRight(double width);

/// Fill in the worker schedule: its calls as bars in order, then blocks that were moved to it since. If nothing was
/// moved, add the places of its arena and its rings to other workers, without a layout.
void fillFrom(const PlannedWorkerSchedule& schedule, const PlannedWorker& worker, LaneRow& row,
              const InstanceIndex& known, const LaneInput& input);

/// Place arena and rings below the bars of the row. Returns their height.
double placeBuffers(LaneRow& row, double top, double width);

}  // namespace weir::editor
