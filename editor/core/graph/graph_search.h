#pragma once

#include "core/graph/graph_scene.h"
#include "core/json/json.h"

#include <QString>
#include <QStringList>

namespace weir::editor {

/// Ids of the blocks in which the text occurs: in id, type, title, comment, or a parameter's name or value; in the order
/// of the file, names that begin with it first.
QStringList findBlocks(const Json& project, const Catalog& catalog, const QString& text);

}  // namespace weir::editor
