#pragma once

#include "catalog.h"
#include "checked_values.h"
#include "graph_scene.h"
#include "parameter_model.h"
#include "problem_model.h"

#include <QStringList>

#include <vector>

namespace weir::editor {

// The fields of the inspector and of the deployment panel, each with the place in the file that it edits.

/// The parameters that all the blocks have in common; every parameter of a block that is alone.
std::vector<ParameterRow> blockParameterRows(const Json &project, const Catalog &catalog, const QStringList &blocks);
std::vector<ParameterRow> blockPropertyRows(const Json &project, const QStringList &blocks);
/// Name, title, description and pipes.
std::vector<ParameterRow> projectRows(const Json &project);

std::vector<ParameterRow> schedulingRows(const Json &project, const Catalog &catalog, const QString &deployment);
std::vector<ParameterRow> schedulerParameterRows(const Json &project, const Catalog &catalog, const QString &deployment);
std::vector<ParameterRow> privilegeRows(const Json &project, const Catalog &catalog, const QString &deployment);
std::vector<ParameterRow> buildRows(const Json &project, const Catalog &catalog, const QString &deployment);
std::vector<ParameterRow> runRows(const Json &project, const Catalog &catalog);
std::vector<ParameterRow> traceRows(const Json &project, const Catalog &catalog);

/// Each row shows the first problem at its place.
void markProblems(std::vector<ParameterRow> &rows, const ProblemModel &problems);
/// Each expression shows what it gives; without values, that they are being worked out.
void markValues(std::vector<ParameterRow> &rows, const CheckedValues *values);

} // namespace weir::editor
