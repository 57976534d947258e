#pragma once

#include "core/deployment/plan_view.h"
#include "core/edits/project_edits.h"
#include "core/runs/run_loads.h"
#include "features/inspector/block_facts.h"
#include "shell/fields/parameter_model.h"

#include <optional>

namespace weir::editor {

// Facts about one connection for the inspector.

/// Return "1 : 4", the items per firing at both ends; empty while unknown.
QString rateOf(const Connection& wire, const CheckedValues* values);
/// Return the items per second that a run moved over all instances of the connection; nothing if the numbers of the
/// blocks do not tell their ports apart.
std::optional<double> measuredRate(const GraphScene& scene, const RunLoads& loads, const Connection& wire);

/// `plan` is null while there is none. `run` is the results of the chosen run, or null.
Facts bufferFacts(const Connection& wire, const PlanView* plan, const Json* run);
/// `fill` says in words how full the buffer was.
Facts measuredFacts(const GraphScene& scene, const RunLoads& loads, const Connection& wire, const QString& fill);

/// Return the fields of a connection: its buffer in the deployment, and the probes of the blocks at its ends.
std::vector<ParameterRow> bufferRows(const Json& project, const Connection& wire, const QString& deployment);
std::vector<ParameterRow> probeRows(const Json& project, const Connection& wire);

} // namespace weir::editor
