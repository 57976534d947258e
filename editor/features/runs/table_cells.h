#pragma once

#include "core/json/json.h"
#include "core/text/ticks.h"
#include "shell/tables/table_model.h"

#include <QString>

#include <vector>

namespace weir::editor {

// Cells of the tables of runs; a dash is an unmeasured value (NaN).

TableCell wordCell(const QString& text);
TableCell numberCell(double value, double factor = 1);
TableCell countCell(double value);
TableCell percentCell(double share);
/// Return one SI prefix for a column, from its median, to keep most numbers short.
Scale scaleFor(std::vector<double> values, const QString& unit, double si);
/// Return one number of each object.
std::vector<double> columnOf(const Json& rows, const char* key);

} // namespace weir::editor
