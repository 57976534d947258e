#pragma once

#include "core/json/json.h"
#include "core/runs/run_loads.h"
#include "shell/tables/table_model.h"

#include <vector>

namespace weir::editor {

/// Fill the table of the requested and granted settings of each worker; empty if the run had no plan.
void fillGrantedTable(TableModel& table, const Json& results);
/// Fill the table of the latest items, with the causes of their delay. Without causes in the results, it stays empty and
/// has no remark.
void fillLateTable(TableModel& table, const Json& results);
/// Fill the table of the machine: the doctor's findings before the run, isolation, interference and VOLK calls. `run`:
/// run.json. Empty if the run has none of these.
void fillMachineTable(TableModel& table, const Json& run, const Json& results);
/// Return the share of response failures, in words; empty if the run has no causes of delays.
QString failuresText(const Json& results);
QString failuresHint(const Json& results);

/// Fill the tables of one run. An unmeasured value is a dash, and the remark says how to measure it.
void fillLatencyTable(TableModel& table, const Json& results);
void fillBlockTable(TableModel& table, const Json& results);
void fillThreadTable(TableModel& table, const Json& results);
void fillEdgeTable(TableModel& table, const Json& results);
void fillHopTable(TableModel& table, const Json& results);
void fillEnvironmentTable(TableModel& table, const Json& results);

/// Fill the table of the blocks of two sides: the medians over the runs of each, with the largest changes first.
void fillBlockDifferenceTable(TableModel& table, const std::vector<RunLoads>& a, const std::vector<RunLoads>& b);

}  // namespace weir::editor
