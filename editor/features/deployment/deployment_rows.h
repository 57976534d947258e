#pragma once

#include "core/catalog/catalog.h"
#include "shell/fields/parameter_model.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

// The fields of the deployment bar and its panel, each with the place in the file that it edits.

std::vector<ParameterRow> schedulingRows(const Json& project, const Catalog& catalog, const QString& deployment);
std::vector<ParameterRow> schedulerParameterRows(const Json& project, const Catalog& catalog,
                                                 const QString& deployment);
/// How the kernel runs the threads, what memory they have, and what a run must have been granted of both.
std::vector<ParameterRow> privilegeRows(const Json& project, const QString& deployment);
/// What is done to the machine for the length of a run: isolation, and programs that disturb it.
std::vector<ParameterRow> machineRows(const Json& project, const QString& deployment);
std::vector<ParameterRow> buildRows(const Json& project, const Catalog& catalog, const QString& deployment);
std::vector<ParameterRow> runRows(const Json& project);
std::vector<ParameterRow> traceRows(const Json& project);

/// Kernels of VOLK, with the titles of the blocks that call them.
using KernelCallers = std::map<std::string, std::set<std::string>>;

/// Those that the graph calls.
KernelCallers kernelCallers(const Json& project, const Catalog& catalog);

/// What is called of VOLK: of all kernels, then of each that the graph calls or the file names. These are choices among the
/// implementations that there are on this machine. What the file says besides stays among them, and says that it is none of
/// these. Where nothing is known of a kernel, any name is taken.
std::vector<ParameterRow> volkRows(const Json& project, const Catalog& catalog, const QString& deployment,
                                   const KernelCallers& callers);

}  // namespace weir::editor
