#pragma once

#include "shell/session/views.h"

namespace weir::editor {

/// Return all views of the middle of the window, in the order of their tabs; the graph is first.
std::vector<View> allViews();

} // namespace weir::editor
