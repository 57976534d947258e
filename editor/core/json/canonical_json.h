#pragma once

#include "core/json/json.h"

#include <string>

namespace weir::editor {

/// Return Weir's canonical text of a JSON value (architecture, section 6); it ends with a newline.
std::string canonicalText(const Json& root);

/// Return the JSON on one line, for fields and messages.
std::string inlineText(const Json& value);

/// Return a double as Python's repr writes it: shortest digits that read back, exponent below 1e-4 and from 1e16 on.
std::string floatText(double value);

} // namespace weir::editor
