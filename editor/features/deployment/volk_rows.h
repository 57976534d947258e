#pragma once

#include "catalog.h"
#include "parameter_model.h"

#include <vector>

namespace weir::editor {

// Choices among the implementations that VOLK has on this machine. What the file says besides stays among them, and says that
// it is none of these. Where nothing is known of a kernel, any name is taken.

/// What is called of all kernels.
ParameterRow volkRow(const Json &project, const Catalog &catalog, const Pointer &deployment);
/// What is called of each kernel that the graph calls, or that the file names.
std::vector<ParameterRow> volkKernelRows(const Json &project, const Catalog &catalog, const Pointer &deployment);

} // namespace weir::editor
