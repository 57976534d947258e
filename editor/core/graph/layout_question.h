#pragma once

#include "core/graph/alignment.h"
#include "core/graph/graph_scene.h"

#include <QSizeF>
#include <QStringList>

#include <optional>

namespace weir::editor {

/// Question to `weir format --layout --boxes`: the blocks as large as they are drawn here, and the wires among them.
/// The order of the blocks breaks ties. `room`: of the window that they are to fill, or empty for one row of any
/// length.
std::string layoutQuestion(const GraphScene& scene, const QStringList& blocks, QSizeF room = {});

/// The places in its answer; nothing when it does not name every block. `anchored`: the upper left corner of all that is
/// placed stays where it is.
std::optional<Placement> layoutAnswer(const GraphScene& scene, const QStringList& blocks, const QByteArray& answer,
                                      bool anchored);

}  // namespace weir::editor
