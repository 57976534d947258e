#pragma once

#include "document.h"
#include "parameter_model.h"

#include <QString>

namespace weir::editor {

/// Writes what was typed into a field, as one undo step. Empty text takes the value back to its default.
/// Returns why it was refused, or an empty string.
QString commitField(Document &document, const ParameterRow &row, const QString &typed);

} // namespace weir::editor
