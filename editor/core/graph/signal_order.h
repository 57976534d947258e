#pragma once

#include "core/graph/graph_scene.h"

#include <QStringList>

namespace weir::editor {

/// The blocks along their streams: from a source to its end, then the next branch; the upper ones first. What hangs
/// together follows each other, the largest part first.
QStringList signalOrder(const GraphScene& scene);

} // namespace weir::editor
