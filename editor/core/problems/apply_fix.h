#pragma once

#include "patch.h"

#include <string>

namespace weir::editor {

/// Puts in what the command line offers for a mistyped word: `fix` is {"key": …} or {"value": …}.
void applyFix(Transaction &transaction, const std::string &pointer, const Json &fix);

} // namespace weir::editor
