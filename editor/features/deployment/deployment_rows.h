#pragma once

#include "core/catalog/catalog.h"
#include "shell/fields/parameter_model.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

// Fields of the deployment bar and its panel, each with its JSON pointer in the file.

std::vector<ParameterRow> schedulingRows(const Json& project, const Catalog& catalog, const QString& deployment);
std::vector<ParameterRow> schedulerParameterRows(const Json& project, const Catalog& catalog,
                                                 const QString& deployment);
/// Return rows for the scheduling policy, the memory, and the settings that a run must be granted.
std::vector<ParameterRow> privilegeRows(const Json& project, const QString& deployment);
/// Return rows for changes of the machine during a run: isolation and interference load.
std::vector<ParameterRow> machineRows(const Json& project, const QString& deployment);
std::vector<ParameterRow> buildRows(const Json& project, const Catalog& catalog, const QString& deployment);
std::vector<ParameterRow> runRows(const Json& project);
std::vector<ParameterRow> traceRows(const Json& project);

/// Kernels of VOLK -> titles of the blocks that call them.
using KernelCallers = std::map<std::string, std::set<std::string>>;

/// Return the kernels that the graph calls.
KernelCallers kernelCallers(const Json& project, const Catalog& catalog);

/// Return rows for the VOLK implementations: of all kernels, then of each that the graph calls or the file names. The
/// choices are the implementations on this machine. Another value in the file is kept and marked as unavailable. For an
/// unknown kernel, any name is accepted.
std::vector<ParameterRow> volkRows(const Json& project, const Catalog& catalog, const QString& deployment,
                                   const KernelCallers& callers);

}  // namespace weir::editor
