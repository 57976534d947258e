#pragma once

#include "patch.h"

#include <string>

namespace weir::editor {

/// What sweeps call by a name follows it: an axis in `vary`, `quick`, conditions, and all of `plot`.
void renameAxis(Transaction &transaction, const std::string &from, const std::string &to);
/// A deployment in `vary`, `quick`, `items`, and what a plot holds against.
void renameContender(Transaction &transaction, const std::string &from, const std::string &to);

/// One sweep says nothing more of an axis that it has lost: conditions and lines that are made with it go, too.
void forgetAxis(Transaction &transaction, std::size_t sweep, const std::string &axis);
/// Nor of values that the axis has lost.
void forgetValues(Transaction &transaction, std::size_t sweep, const std::string &axis);

} // namespace weir::editor
