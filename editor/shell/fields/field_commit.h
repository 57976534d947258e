#pragma once

#include "core/document/document.h"
#include "shell/fields/parameter_model.h"

#include <QString>

#include <functional>

namespace weir::editor {

/// Return why typed text is refused, without asking the command line: a fraction instead of a whole number, a
/// literal out of range, a unit in the wrong case. Empty if it is not refused.
QString fieldRefusal(const ParameterRow& row, const QString& typed);

/// Writes a typed value, for all blocks of the field, as one undo step. Empty text resets the value to its default.
/// `first`, if any, creates the parent of the value in the same step. Returns an empty string, or why it was refused.
QString commitField(Document& document, const ParameterRow& row, const QString& typed,
                    const std::function<void(Transaction&)>& first = {});

}  // namespace weir::editor
