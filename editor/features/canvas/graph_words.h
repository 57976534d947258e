#pragma once

#include "core/graph/graph_scene.h"

/// A block in words, for those who hear it: its id and title, its state, what feeds it and what it feeds.
QString blockWords(const weir::editor::GraphScene& scene, const weir::editor::BlockView& block);

/// `wire from src.out to sink.in, f32`
QString wireWords(const weir::editor::WireView& wire);
