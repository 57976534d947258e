#pragma once

#include "core/graph/graph_scene.h"

namespace weir::editor {

/// A block in words, for those who hear it: its id and title, its state, what feeds it and what it feeds.
QString blockWords(const GraphScene& scene, const BlockView& block);

/// `wire from src.out to sink.in, f32`
QString wireWords(const WireView& wire);

} // namespace weir::editor
