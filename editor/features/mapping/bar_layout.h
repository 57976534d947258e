#pragma once

#include "features/mapping/lane_layout.h"

namespace weir::editor {

using InstanceIndex = QHash<QString, const PlannedInstance*>;

/// A bar for each instance, or for all copies of a block, in their order.
std::vector<LaneBar> barsOf(const QStringList& instances, const InstanceIndex& known, const LaneInput& input);

/// Puts the bars of a row side by side, in as many lines as they need, with frames around loops. Says how high that is.
double placeBars(LaneRow& row, double top, double width);

/// Where the bars of a view that is so wide begin and end.
double barsLeft();
double barsRight(double width);

}  // namespace weir::editor
