#pragma once

#include "core/document/patch.h"
#include "core/problems/problem.h"

namespace weir::editor {

/// Applies a fix of a problem. Throws EditRefused if the part to be fixed no longer exists.
void applyFix(Transaction& transaction, const ProblemFix& fix);

} // namespace weir::editor
