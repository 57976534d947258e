#pragma once

#include "features/mapping/lane_layout.h"

namespace weir::editor {

using InstanceIndex = QHash<QString, const PlannedInstance*>;

/// A bar for each instance, or for all copies of a block, in their order.
std::vector<LaneBar> barsOf(const QStringList& instances, const InstanceIndex& known, const LaneInput& input);

/// Puts the bars of a row side by side, in as many lines as they need, with frames around loops. Says how high that is.
double placeBars(LaneRow& row, double top, double width);

/// Start and end of the bars in a view of this width.
double barsLeft();
double barsRight(double width);

/// Fills in the worker schedule: its calls as bars in their order, then blocks put onto it since; and, while it is as
/// planned, the places of its arena and its rings to other workers, not laid out yet.
void fillFrom(const PlannedWorkerSchedule& schedule, const PlannedWorker& worker, LaneRow& row,
              const InstanceIndex& known, const LaneInput& input);

/// Puts arena and rings below the bars of the row; says how high they are.
double placeBuffers(LaneRow& row, double top, double width);

}  // namespace weir::editor
