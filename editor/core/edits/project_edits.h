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
/// Adds a block of GNU Radio by its entry, which lacks `id` and the block's name in GNU Radio.
void addGnuradioBlock(Transaction& transaction, const std::string& id, Json entry, QPointF position);
/// Return a name in GNU Radio, such as blocks_head_0, that no block of the project and no variable has.
std::string freeGnuradioName(const Json& project, const std::string& type);
/// Return whether a block entry of the project has this name in GNU Radio.
bool hasGnuradioName(const Json& project, const std::string& name);
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
