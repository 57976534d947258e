#include "core/graph/type_inference.h"

#include "core/graph/typed_graph.h"

#include <algorithm>
#include <deque>

namespace weir::editor {
namespace {

/// What the block itself says: its `item_type`, or the only one that its type has; "" where it leaves it open.
std::string ownItemType(const TypedGraph::Block& block) {
    const std::string chosen = text(member(object(member(*block.json, "parameters")), "item_type"));
    return chosen.empty() && block.type->itemTypes.size() == 1 ? block.type->itemTypes.front() : chosen;
}

} // namespace

std::string portItemType(const PortType& port, const std::string& blockType) {
    return port.type == "T" ? blockType : port.type;
}

std::map<std::string, std::string> inferItemTypes(const Json& project, const Catalog& catalog) {
    const TypedGraph graph(project, catalog);
    std::vector<std::string> known;
    for (const TypedGraph::Block& block : graph.blocks) known.push_back(ownItemType(block));

    const auto spread = [&](std::size_t from, const PortType& output, std::size_t to, const PortType& input) {
        const std::string type = portItemType(output, known[from]);
        const auto& allowed = graph.blocks[to].type->itemTypes;
        if (type.empty() || input.type != "T" || !known[to].empty() ||
            std::find(allowed.begin(), allowed.end(), type) == allowed.end())
            return false;
        known[to] = type;
        return true;
    };
    std::deque<std::size_t> open;
    for (std::size_t index = 0; index < graph.wires.size(); ++index) open.push_back(index);
    // A type that becomes known goes on along the wires of its block alone: passes over all of them would take the
    // square of their number where the file has them in an unlucky order.
    while (!open.empty()) {
        const auto& [source, target, output, input] = graph.wires[open.front()];
        open.pop_front();
        const auto goOnFrom = [&](std::size_t block) {
            open.insert(open.end(), graph.blocks[block].wires.begin(), graph.blocks[block].wires.end());
        };
        if (spread(source, *output, target, *input)) goOnFrom(target);
        if (spread(target, *input, source, *output)) goOnFrom(source);
    }
    std::map<std::string, std::string> types;
    for (std::size_t index = 0; index < graph.blocks.size(); ++index)
        if (!known[index].empty()) types.emplace(graph.blocks[index].id, known[index]);
    return types;
}

} // namespace weir::editor
