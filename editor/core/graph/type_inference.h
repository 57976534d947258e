#pragma once

#include "core/catalog/catalog.h"
#include "core/edits/project_edits.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weir::editor {

/// The blocks whose type is in the catalog, and the connections between ports that they have: what item types follow from.
/// Good for as long as neither the project nor the catalog changes, as it copies none of their text.
struct TypedGraph {
    struct Block {
        std::string_view id;
        const BlockType* type = nullptr;
        const Json* json = nullptr;
        std::vector<std::size_t> wires;  ///< indices of those that begin or end here
    };

    /// Connection between two blocks (indices) and ports.
    struct Wire {
        std::size_t source = 0;
        std::size_t target = 0;
        const PortType* output = nullptr;
        const PortType* input = nullptr;
    };

    TypedGraph(const Json& project, const Catalog& catalog);

    std::vector<Block> blocks;
    std::vector<Wire> wires;
    std::unordered_map<std::string_view, std::size_t> byId;  ///< of two of one id, the first
};

/// Item types that the block's connections rule out, each with the block that does: one whose port has another type, or one
/// that shares the block's type and cannot have it. What another block merely states can be changed, and rules out nothing.
std::map<std::string, std::string> ruledOutTypes(const Json& project, const Catalog& catalog, const std::string& block);

/// The item type that each template block has, from `item_type` or along connections; absent where nothing decides it.
std::map<std::string, std::string> inferItemTypes(const Json& project, const Catalog& catalog);

/// The item type of a port of a block whose own type is `blockType` ("" if undecided); "" if undecided.
std::string portItemType(const PortType& port, const std::string& blockType);

}  // namespace weir::editor
