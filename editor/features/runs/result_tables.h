#pragma once

#include "core/json/json.h"
#include "core/runs/run_loads.h"
#include "shell/tables/table_model.h"

#include <vector>

namespace weir::editor {

/// What of the kernel each worker asked for, and what it got; empty where the run was of no plan.
void fillGrantedTable(TableModel& table, const Json& results);
/// The latest items, and why each was late. Without rows and remark where nobody asked.
void fillLateTable(TableModel& table, const Json& results);
/// How the machine was: what the doctor found before the run, isolation, what disturbed it, and what of VOLK was called. `run`:
/// run.json. Empty where the run says nothing of it.
void fillMachineTable(TableModel& table, const Json& run, const Json& results);
/// Which share of the answers came too late, in words; empty where no deadline was set.
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
