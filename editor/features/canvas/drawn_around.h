#pragma once

#include "core/graph/block_model.h"

#include <QMarginsF>

namespace weir::editor {

/// How far beyond its edges, in pixels, a block is drawn at this zoom: facts below it, its probe and its
/// comment. What has the same room at every block, as rings and pills, is left out.
/// `facts`: none where nothing keeps their place. As in BlockItem.qml and BlockHeat.qml.
QMarginsF drawnAround(const BlockView& block, const std::optional<QStringList>& facts, qreal zoom);

} // namespace weir::editor
