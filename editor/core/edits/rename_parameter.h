#pragma once

#include "core/document/patch.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Return the pointers of the expressions that use the project parameter.
std::vector<Pointer> usesOfParameter(const Json& project, const std::string& name);

/// Renames a project parameter, in every expression, sweep and plot, too.
void renameParameter(Transaction& transaction, const std::string& from, const std::string& to);

} // namespace weir::editor
