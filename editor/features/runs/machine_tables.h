#pragma once

#include "core/json/json.h"
#include "shell/tables/table_model.h"

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

}  // namespace weir::editor
