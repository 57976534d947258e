#pragma once

#include "core/graph/graph_scene.h"

#include <QStringList>

namespace weir::editor {

/// Return the blocks along their streams: from a source to the end, then the next branch, upper ones first. Connected
/// blocks stay together, the largest part first.
QStringList signalOrder(const GraphScene& scene);

} // namespace weir::editor
