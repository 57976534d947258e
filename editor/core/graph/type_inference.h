#pragma once

#include "core/catalog/catalog.h"
#include "core/edits/project_edits.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weir::editor {

/// Blocks with a type in the catalog and connections between existing ports, as input for type inference. Valid until
/// the project or the catalog changes, since it holds references into both.
struct TypedGraph {
    struct Block {
        std::string_view id;
        const BlockType* type = nullptr;
        const Json* json = nullptr;
        std::vector<std::size_t> wires;  ///< indices of the wires at this block
    };

    /// Connection between blocks (by index) and ports.
    struct Wire {
        std::size_t source = 0;
        std::size_t target = 0;
        const PortType* output = nullptr;
        const PortType* input = nullptr;
    };

    TypedGraph(const Json& project, const Catalog& catalog);

    std::vector<Block> blocks;
    std::vector<Wire> wires;
    std::unordered_map<std::string_view, std::size_t> byId;  ///< the first of blocks with the same id
};

/// Return the item types that the block's connections rule out, each with the other block: its port has another type,
/// or it shares the block's type and cannot have this one. A mere `item_type` of another block can be changed and rules
/// out nothing.
std::map<std::string, std::string> ruledOutTypes(const Json& project, const Catalog& catalog, const std::string& block);

/// Return the item type of each template block, from `item_type` or along connections; absent if undecided.
std::map<std::string, std::string> inferItemTypes(const Json& project, const Catalog& catalog);

/// Return the item type of a port of a block with the own type `blockType`; "" means undecided in both.
std::string portItemType(const PortType& port, const std::string& blockType);

}  // namespace weir::editor
