#pragma once

#include "core/document/patch.h"

#include <functional>
#include <string>

namespace weir::editor {

/// Replaces the object at `at` by one whose keys are rewritten in place, so that their order stays.
void renameKeys(Transaction& transaction, const Pointer& at,
                const std::function<std::string(const std::string&)>& rewrite);

} // namespace weir::editor
