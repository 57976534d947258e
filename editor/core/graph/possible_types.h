#pragma once

#include "core/catalog/catalog.h"

#include <map>
#include <string>

namespace weir::editor {

/// Item types that the block's connections rule out, each with the block that does: one whose port has another type, or one
/// that shares the block's type and cannot have it. What another block merely states can be changed, and rules out nothing.
std::map<std::string, std::string> ruledOutTypes(const Json& project, const Catalog& catalog, const std::string& block);

}  // namespace weir::editor
