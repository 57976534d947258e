#pragma once

#include "core/deployment/plan_view.h"
#include "core/edits/project_edits.h"
#include "core/runs/run_loads.h"
#include "features/inspector/block_facts.h"
#include "shell/fields/parameter_model.h"

#include <optional>

namespace weir::editor {

// What the inspector shows of one connection.

/// "1 : 4", items a firing at both ends; empty while they are not known.
QString rateOf(const Connection& wire, const CheckedValues* values);
/// Items a second that a run moved over the connection, all its instances together; nothing where the numbers of the
/// blocks do not tell those of their ports apart.
std::optional<double> measuredRate(const GraphScene& scene, const RunLoads& loads, const Connection& wire);

/// `plan`: null while there is none. `run`: the results of the chosen run, or null.
Facts bufferFacts(const Connection& wire, const PlanView* plan, const Json* run);
/// `fill`: how full the buffer was, in words.
Facts measuredFacts(const GraphScene& scene, const RunLoads& loads, const Connection& wire, const QString& fill);

/// The fields of a connection: its buffer in the deployment, and the probes of the blocks at its ends.
std::vector<ParameterRow> bufferRows(const Json& project, const Connection& wire, const QString& deployment);
std::vector<ParameterRow> probeRows(const Json& project, const Connection& wire);

} // namespace weir::editor
