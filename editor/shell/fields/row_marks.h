#pragma once

#include "core/problems/checked_values.h"
#include "core/problems/problem_model.h"
#include "shell/fields/parameter_model.h"

#include <vector>

namespace weir::editor {

/// Each row shows the first problem at its place.
void markProblems(std::vector<ParameterRow>& rows, const ProblemModel& problems);
/// Each expression shows what it gives; without values, that they are being worked out.
void markValues(std::vector<ParameterRow>& rows, const CheckedValues* values);

} // namespace weir::editor
