#pragma once

#include "core/document/patch.h"
#include "core/document/project_places.h"

#include <QPointF>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

// Edits. They throw EditRefused if the file's structure does not allow them.
void addBlock(Transaction& transaction, const std::string& id, const std::string& type, QPointF position);
void removeParts(Transaction& transaction, const std::set<std::string>& blocks,
                 const std::set<Connection>& connections);
void addConnection(Transaction& transaction, const Connection& connection);
void placeBlocks(Transaction& transaction, const std::vector<std::pair<std::string, QPointF>>& positions);
/// Renames the block in connections, groups, placements, affinities, buffers and the drawing, too.
void renameBlock(Transaction& transaction, const std::string& from, const std::string& to);

/// Rewrites the keys of the object at `at` and keeps their order.
void renameKeys(Transaction& transaction, const Pointer& at,
                const std::function<std::string(const std::string&)>& rewrite);

} // namespace weir::editor
