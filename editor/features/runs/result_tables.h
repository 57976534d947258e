#pragma once

#include "core/json/json.h"
#include "core/runs/run_loads.h"
#include "shell/tables/table_model.h"

#include <vector>

namespace weir::editor {

/// Fills the table of the requested and granted settings of each worker; empty if the run had no plan.
void fillGrantedTable(TableModel& table, const Json& results);
/// The latest items, and why each was late. Without rows and remark where nobody asked.
void fillLateTable(TableModel& table, const Json& results);
/// Fills the table of the machine: the doctor's findings before the run, isolation, interference and VOLK calls. `run`:
/// run.json. Empty if the run has none of these.
void fillMachineTable(TableModel& table, const Json& run, const Json& results);
/// Return the share of response failures, in words; empty if no deadline was set.
QString failuresText(const Json& results);
QString failuresHint(const Json& results);

/// The tables of one run. What was not measured is a dash, and the remark says how to have it measured.
void fillLatencyTable(TableModel& table, const Json& results);
void fillBlockTable(TableModel& table, const Json& results);
void fillThreadTable(TableModel& table, const Json& results);
void fillEdgeTable(TableModel& table, const Json& results);
void fillHopTable(TableModel& table, const Json& results);
void fillEnvironmentTable(TableModel& table, const Json& results);

/// The blocks of two sides beside each other: the medians over the runs of each. What changed most comes first.
void fillBlockDifferenceTable(TableModel& table, const std::vector<RunLoads>& a, const std::vector<RunLoads>& b);

}  // namespace weir::editor
