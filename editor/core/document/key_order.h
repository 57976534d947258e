#pragma once

#include "json.h"

namespace weir::editor {

/// Where a new member `key` of the object at `parent` belongs among the members that `object` has already.
std::size_t insertionPosition(const Json& object, const Pointer& parent, const std::string& key);

/// The members that the project schema names for the object at `parent`, in its order; empty where names are free.
const std::vector<std::string>& schemaOrder(const Pointer& parent);

} // namespace weir::editor
