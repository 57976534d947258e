#pragma once

#include "patch.h"
#include "problem.h"

namespace weir::editor {

/// Does what a problem offers. Throws EditRefused where what was to be mended is not there any more.
void applyFix(Transaction& transaction, const ProblemFix& fix);

} // namespace weir::editor
