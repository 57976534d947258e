#pragma once

#include "core/catalog/catalog.h"
#include "shell/fields/parameter_model.h"

#include <QStringList>

#include <vector>

namespace weir::editor {

// The fields of the inspector, each with the place in the file that it edits.

/// The parameters that all the blocks have in common; every parameter of a block that is alone.
std::vector<ParameterRow> blockParameterRows(const Json& project, const Catalog& catalog, const QStringList& blocks);
std::vector<ParameterRow> blockPropertyRows(const Json& project, const QStringList& blocks);
/// Return the thread settings of the worker that has the block, under a deployment. If blocks move between workers,
/// only the settings in the file.
std::vector<ParameterRow> blockThreadRows(const Json& project, const Catalog& catalog, const QString& deployment,
                                          const QStringList& blocks);
/// Name, title, description and pipes.
std::vector<ParameterRow> projectRows(const Json& project);

}  // namespace weir::editor
