// Where the parts of a project file are.
#pragma once

#include "json.h"

namespace weir::editor {

inline const Pointer kBlocks{"/graph/blocks"};
inline const Pointer kConnections{"/graph/connections"};
inline const Pointer kGroups{"/graph/groups"};
inline const Pointer kDeployments{"/deployments"};

} // namespace weir::editor
