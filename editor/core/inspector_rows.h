#pragma once

#include "catalog.h"
#include "graph_scene.h"
#include "parameter_model.h"
#include "problem_model.h"

#include <vector>

namespace weir::editor {

// The fields of the inspector, each with the place in the file that it edits.
std::vector<ParameterRow> blockParameterRows(const Json &project, const Catalog &catalog, const QString &blockId);
std::vector<ParameterRow> blockPropertyRows(const Json &project, const QString &blockId);
std::vector<ParameterRow> projectParameterRows(const Json &project);
std::vector<ParameterRow> deploymentRows(const Json &project, const Catalog &catalog, const QString &deployment);
std::vector<ParameterRow> runRows(const Json &project);

/// Each row shows the first problem at its place.
void markProblems(std::vector<ParameterRow> &rows, const ProblemModel &problems);

} // namespace weir::editor
