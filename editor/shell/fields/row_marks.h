#pragma once

#include "core/problems/checked_values.h"
#include "core/problems/problem_model.h"
#include "shell/fields/parameter_model.h"

#include <vector>

namespace weir::editor {

/// Adds to each row the first problem at its JSON pointer.
void markProblems(std::vector<ParameterRow>& rows, const ProblemModel& problems);
/// Adds to each row the value of its expression; with null `values`, a mark that it is being computed.
void markValues(std::vector<ParameterRow>& rows, const CheckedValues* values);

} // namespace weir::editor
