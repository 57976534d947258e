#pragma once

#include "graph_scene.h"

#include <QStringList>

namespace weir::editor {

/// The blocks along their streams: from a source to its end, then the next branch; the upper ones first.
QStringList signalOrder(const GraphScene &scene);

} // namespace weir::editor
