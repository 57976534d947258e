#pragma once

#include "shell/session/views.h"

namespace weir::editor {

/// Everything that the middle of the window can show, in the order of its tabs; the graph is first.
std::vector<View> allViews();

} // namespace weir::editor
