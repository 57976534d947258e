#pragma once

#include "core/catalog/catalog.h"
#include "core/edits/project_edits.h"

#include <map>
#include <string>
#include <vector>

namespace weir::editor {

/// The item type that each template block has, from `item_type` or along connections; absent where nothing decides it.
std::map<std::string, std::string> inferItemTypes(const Json& project, const Catalog& catalog);

/// The item type of a port of a block whose own type is `blockType` ("" if undecided); "" if undecided.
std::string portItemType(const PortType& port, const std::string& blockType);

} // namespace weir::editor
