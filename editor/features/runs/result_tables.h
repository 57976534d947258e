#pragma once

#include "core/json/json.h"
#include "core/runs/run_loads.h"
#include "shell/tables/table_model.h"

#include <vector>

namespace weir::editor {

/// The tables of one run. What was not measured is a dash, and the remark says how to have it measured.
void fillLatencyTable(TableModel& table, const Json& results);
void fillBlockTable(TableModel& table, const Json& results);
void fillThreadTable(TableModel& table, const Json& results);
void fillEdgeTable(TableModel& table, const Json& results);
void fillHopTable(TableModel& table, const Json& results);
void fillEnvironmentTable(TableModel& table, const Json& results);

/// The blocks of two sides beside each other: the medians over the runs of each. What changed most comes first.
void fillBlockDifferenceTable(TableModel& table, const std::vector<RunLoads>& a, const std::vector<RunLoads>& b);

} // namespace weir::editor
