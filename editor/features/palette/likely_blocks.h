#pragma once

#include "core/catalog/block_search.h"
#include "core/graph/fitting.h"

#include <QStringList>

#include <set>
#include <string>

namespace weir::editor {

/// Known facts about the place of a new block.
struct InsertPlace {
    std::string after = {};  ///< the type of block that will feed it; empty: none
    std::string before = {}; ///< the type of block that it will feed; empty: none
    std::set<std::string> fitting = {}; ///< the types that can be joined there
    ItemTypes wanted = {};              ///< item types at the port there; empty where anything goes
    bool onlyFitting = false;           ///< whether no others are offered
};

/// The types for the place, the likely ones first, each with the reason to say: those that fit, of these what lies there in
/// the examples, then the user's `favourites` and what was `recent`; equally likely ones stay in the order of `types`.
std::vector<FoundBlock> likelyBlocks(const std::vector<const BlockType*>& types, const Catalog& catalog,
                                     const InsertPlace& place, const QStringList& favourites,
                                     const QStringList& recent);

}  // namespace weir::editor
