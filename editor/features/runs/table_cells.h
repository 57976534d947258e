#pragma once

#include "core/json/json.h"
#include "core/text/ticks.h"
#include "shell/tables/table_model.h"

#include <QString>

#include <vector>

namespace weir::editor {

// Cells of the tables of runs; a dash is what was not measured, as NaN is.

TableCell wordCell(const QString& text);
TableCell numberCell(double value, double factor = 1);
TableCell countCell(double value);
TableCell percentCell(double share);
/// One SI prefix for a column: that of its middle value, so that few numbers are long or tiny.
Scale scaleFor(std::vector<double> values, const QString& unit, double si);
/// A number of each of some objects.
std::vector<double> columnOf(const Json& rows, const char* key);

} // namespace weir::editor
