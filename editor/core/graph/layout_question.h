#pragma once

#include "core/graph/alignment.h"
#include "core/graph/graph_scene.h"

#include <QSizeF>
#include <QStringList>

#include <optional>

namespace weir::editor {

/// Return the input of `weir format --layout --boxes`: the blocks with their drawn sizes, and their wires. The order of
/// the blocks breaks ties. `room`: part of the window to fill; empty: one row of any length.
std::string layoutQuestion(const GraphScene& scene, const QStringList& blocks, QSizeF room = {});

/// Return the positions of the answer; nothing if it does not name every block. `anchored`: keep the upper left corner
/// of all placed blocks.
std::optional<Placement> layoutAnswer(const GraphScene& scene, const QStringList& blocks, const QByteArray& answer,
                                      bool anchored);

}  // namespace weir::editor
