#pragma once

#include "core/edits/project_edits.h"
#include "core/graph/fitting.h"

#include <set>
#include <string>
#include <vector>

/// Edits of the whole flowgraph: joining, splitting and grouping. They throw EditRefused if the file's structure does
/// not allow them.
namespace weir::editor {

void replaceConnection(Transaction& transaction, const Connection& before, const Connection& after);
/// Ends the wire at the block, and adds a wire from there to the old target.
void insertOnWire(Transaction& transaction, const Connection& wire, const std::string& block, const Passage& passage);

/// Reconnection of streams through removed blocks.
struct Healing {
    std::vector<Connection> joined;
    std::vector<Connection> lost; ///< wires to remaining blocks that find no source of their type
};
Healing healingWithout(const Json& project, const Catalog& catalog, const std::set<std::string>& blocks);
void removeAndHeal(Transaction& transaction, const std::set<std::string>& blocks, const Healing& healing);

/// Sets "enabled", "disabled" or "bypassed"; "enabled" is written by removing the key.
void setBlockState(Transaction& transaction, const std::string& block, const std::string& state);

std::string freeGroupId(const Json& project, const std::string& wanted);
/// Groups blocks, and removes them from their previous groups: a block is in at most one group.
void groupBlocks(Transaction& transaction, const std::string& group, const std::vector<std::string>& blocks);
void renameGroup(Transaction& transaction, const std::string& from, const std::string& to);
/// Removes the groups that contain one of the blocks; returns their number.
int ungroupBlocks(Transaction& transaction, const std::set<std::string>& blocks);

} // namespace weir::editor
