// Where the parts of a project file are.
#pragma once

#include "json.h"

namespace weir::editor {

inline const Pointer kBlocks{"/graph/blocks"};
inline const Pointer kConnections{"/graph/connections"};
inline const Pointer kGroups{"/graph/groups"};
inline const Pointer kDeployments{"/deployments"};
inline const Pointer kPositions{"/ui/positions"};
inline const Pointer kDesigns{"/ui/designs"}; ///< "block.parameter" -> what its taps were designed from

/// Coordinates beyond this are no place: a picture that far from the origin is none.
inline constexpr double kFarthest = 1e6;

} // namespace weir::editor
