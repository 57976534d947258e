#pragma once

#include "core/document/patch.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Where expressions use the project parameter, as pointers of the expressions.
std::vector<Pointer> usesOfParameter(const Json& project, const std::string& name);

/// Gives a project parameter another name, which every expression, every sweep and every plot of a sweep follows.
void renameParameter(Transaction& transaction, const std::string& from, const std::string& to);

} // namespace weir::editor
