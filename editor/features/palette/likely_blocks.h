#pragma once

#include "core/catalog/block_search.h"
#include "core/graph/fitting.h"

#include <QStringList>

#include <set>
#include <string>

namespace weir::editor {

/// Known facts about the place of a new block.
struct InsertPlace {
    std::string after = {};  ///< type of the block that feeds it; empty: none
    std::string before = {}; ///< type of the block that it feeds; empty: none
    std::set<std::string> fitting = {}; ///< types that can connect there
    ItemTypes wanted = {};              ///< item types of the port there; empty if any fits
    bool onlyFitting = false;           ///< whether to offer no other types
};

/// Return the types for a place, the most likely first, each with its reason. Types that fit come first. They are
/// ordered by their use in the examples, then by `favourites`, then by `recent`. Equally likely types stay in the order
/// of `types`.
std::vector<FoundBlock> likelyBlocks(const std::vector<const BlockType*>& types, const Catalog& catalog,
                                     const InsertPlace& place, const QStringList& favourites,
                                     const QStringList& recent);

}  // namespace weir::editor
