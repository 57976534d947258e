#pragma once

#include "core/json/json.h"

namespace weir::editor {

/// Where a new member `key` of the object at `parent` belongs among the members that `object` has already: in the
/// order of the project schema, or at the end where that has no such member.
std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key);

} // namespace weir::editor
