#pragma once

#include "json.h"
#include "table_model.h"

namespace weir::editor {

/// The tables of one run. What was not measured is a dash, and the remark says how to have it measured.
void fillLatencyTable(TableModel &table, const Json &results);
void fillBlockTable(TableModel &table, const Json &results);
void fillThreadTable(TableModel &table, const Json &results);
void fillEdgeTable(TableModel &table, const Json &results);
void fillHopTable(TableModel &table, const Json &results);
void fillEnvironmentTable(TableModel &table, const Json &results);

} // namespace weir::editor
