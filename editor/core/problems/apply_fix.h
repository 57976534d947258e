#pragma once

#include "core/document/patch.h"
#include "core/problems/problem.h"

namespace weir::editor {

/// Does what a problem offers. Throws EditRefused where what was to be mended is not there any more.
void applyFix(Transaction& transaction, const ProblemFix& fix);

} // namespace weir::editor
