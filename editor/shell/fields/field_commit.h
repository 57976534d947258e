#pragma once

#include "core/document/document.h"
#include "shell/fields/parameter_model.h"

#include <QString>

#include <functional>

namespace weir::editor {

/// What can be said at once against typed text, without the command line: a fraction where a whole number is needed, a
/// literal out of range. Empty when there is nothing.
QString fieldRefusal(const ParameterRow& row, const QString& typed);

/// Writes what was typed into a field, for all blocks that it stands for, as one undo step. Empty text takes the value
/// back to its default. `first`, if any, makes what the field is part of, in the same step. Returns why it was refused, or
/// an empty string.
QString commitField(Document& document, const ParameterRow& row, const QString& typed,
                    const std::function<void(Transaction&)>& first = {});

}  // namespace weir::editor
