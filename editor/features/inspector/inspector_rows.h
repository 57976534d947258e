#pragma once

#include "core/catalog/catalog.h"
#include "shell/fields/parameter_model.h"

#include <QStringList>

#include <vector>

namespace weir::editor {

// Fields of the inspector, each with the place in the file that it edits.

/// Return the parameters that all the blocks share; every parameter of a single block.
std::vector<ParameterRow> blockParameterRows(const Json& project, const Catalog& catalog, const QStringList& blocks);
std::vector<ParameterRow> blockPropertyRows(const Json& project, const QStringList& blocks);
/// Return the thread settings of the block's worker under a deployment; only those in the file if blocks move between
/// workers.
std::vector<ParameterRow> blockThreadRows(const Json& project, const Catalog& catalog, const QString& deployment,
                                          const QStringList& blocks);
/// Return the rows for name, title, description and pipes.
std::vector<ParameterRow> projectRows(const Json& project);

}  // namespace weir::editor
