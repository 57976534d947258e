#pragma once

#include "core/json/json.h"

namespace weir::editor {

/// Replaces former names of keys and words, which the project schema names with `x-was`. An object with both keys keeps
/// both: the command line reports them.
void usePresentSpelling(Json& project);

}  // namespace weir::editor
