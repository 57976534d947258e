#pragma once

#include "core/edits/project_edits.h"
#include "core/graph/fitting.h"

#include <set>
#include <string>
#include <vector>

/// Edits of the flowgraph as a whole: what joins, divides and groups. They throw EditRefused where the shape of
/// the file does not allow them.
namespace weir::editor {

void replaceConnection(Transaction& transaction, const Connection& before, const Connection& after);
/// The wire ends at the block, and a new one goes on from there.
void insertOnWire(Transaction& transaction, const Connection& wire, const std::string& block, const Passage& passage);

/// Fate of the streams through removed blocks.
struct Healing {
    std::vector<Connection> joined;
    std::vector<Connection> lost; ///< wires into the rest that find no source of their type
};
Healing healingWithout(const Json& project, const Catalog& catalog, const std::set<std::string>& blocks);
void removeAndHeal(Transaction& transaction, const std::set<std::string>& blocks, const Healing& healing);

/// "enabled", "disabled" or "bypassed"; the first is written by leaving the key out.
void setBlockState(Transaction& transaction, const std::string& block, const std::string& state);

std::string freeGroupId(const Json& project, const std::string& wanted);
/// A block is in one group at most: it leaves the one it was in.
void groupBlocks(Transaction& transaction, const std::string& group, const std::vector<std::string>& blocks);
void renameGroup(Transaction& transaction, const std::string& from, const std::string& to);
/// Takes the groups away that have one of the blocks; returns how many.
int ungroupBlocks(Transaction& transaction, const std::set<std::string>& blocks);

} // namespace weir::editor
