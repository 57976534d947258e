#pragma once

#include "core/document/patch.h"
#include "core/document/project_places.h"

#include <QPointF>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

// Edits. They throw EditRefused where the shape of the file does not allow them.
void addBlock(Transaction& transaction, const std::string& id, const std::string& type, QPointF position);
void removeParts(Transaction& transaction, const std::set<std::string>& blocks,
                 const std::set<Connection>& connections);
void addConnection(Transaction& transaction, const Connection& connection);
void placeBlocks(Transaction& transaction, const std::vector<std::pair<std::string, QPointF>>& positions);
/// Follows the block's name through connections, groups, placements, affinities, buffers and the drawing.
void renameBlock(Transaction& transaction, const std::string& from, const std::string& to);

/// Replaces the object at `at` by one whose keys are rewritten in place, so that their order stays.
void renameKeys(Transaction& transaction, const Pointer& at,
                const std::function<std::string(const std::string&)>& rewrite);

} // namespace weir::editor
