#pragma once

#include "core/document/document.h"
#include "shell/fields/parameter_model.h"

#include <QString>

#include <functional>

namespace weir::editor {

/// Return why typed text is refused, without asking the command line: a fraction instead of a whole number, a
/// literal out of range, a unit in the wrong case. Empty if it is not refused.
QString fieldRefusal(const ParameterRow& row, const QString& typed);

/// Writes what was typed into a field, for all blocks that it stands for, as one undo step. Empty text takes the value
/// back to its default. `first`, if any, makes what the field is part of, in the same step. Returns why it was refused, or
/// an empty string.
QString commitField(Document& document, const ParameterRow& row, const QString& typed,
                    const std::function<void(Transaction&)>& first = {});

}  // namespace weir::editor
