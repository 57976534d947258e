#pragma once

#include "core/document/patch.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Return the pointers of the expressions that use the project parameter.
std::vector<Pointer> usesOfParameter(const Json& project, const std::string& name);

/// Gives a project parameter another name, which every expression, every sweep and every plot of a sweep follows.
void renameParameter(Transaction& transaction, const std::string& from, const std::string& to);

} // namespace weir::editor
