#include "core/graph/type_inference.h"

#include "core/document/project_places.h"

#include <algorithm>
#include <deque>

namespace weir::editor {
namespace {

/// Return the type that the block fixes: its `item_type`, or the only one of its block type; "" if none.
std::string ownItemType(const TypedGraph::Block& block) {
    const std::string chosen = text(member(object(member(*block.json, "parameters")), "item_type"));
    return chosen.empty() && block.type->itemTypes.size() == 1 ? block.type->itemTypes.front() : chosen;
}

} // namespace

TypedGraph::TypedGraph(const Json& project, const Catalog& catalog) {
    for (const Json& entry : list(find(project, kGraph.blocks))) {
        const Json* id = member(entry, "id");
        const BlockType* type = member(entry, "gnuradio") ? nullptr : catalog.block(text(member(entry, "type")));
        if (!type || !id || !id->is_string()) continue;
        byId.emplace(id->get_ref<const std::string&>(), blocks.size());
        blocks.push_back({id->get_ref<const std::string&>(), type, &entry, {}});
    }
    for (const Json& value : list(find(project, kGraph.connections))) {
        const auto connection = toConnection(value);
        if (!connection) continue;
        const auto source = byId.find(connection->source);
        const auto target = byId.find(connection->target);
        if (source == byId.end() || target == byId.end()) continue;
        const PortType* output = blocks[source->second].type->output(connection->sourcePort);
        const PortType* input = blocks[target->second].type->input(connection->targetPort);
        if (!output || !input) continue;
        for (const std::size_t end : {source->second, target->second}) blocks[end].wires.push_back(wires.size());
        wires.push_back({source->second, target->second, output, input});
    }
}

std::map<std::string, std::string> ruledOutTypes(const Json& project, const Catalog& catalog,
                                                 const std::string& block) {
    const TypedGraph graph(project, catalog);
    std::map<std::string, std::string> ruledOut;
    const auto start = graph.byId.find(block);
    if (start == graph.byId.end()) return ruledOut;
    const auto keepOnly = [&](const std::vector<std::string>& possible, std::string_view because) {
        for (const std::string& type : graph.blocks[start->second].type->itemTypes)
            if (std::find(possible.begin(), possible.end(), type) == possible.end()) ruledOut.emplace(type, because);
    };
    std::vector<bool> seen(graph.blocks.size());
    seen[start->second] = true;
    std::vector<std::size_t> pending{start->second};
    while (!pending.empty()) {
        const std::size_t here = pending.back();
        pending.pop_back();
        for (const std::size_t index : graph.blocks[here].wires) {
            const TypedGraph::Wire& wire = graph.wires[index];
            const bool forward = wire.source == here;
            const std::string& ownType = (forward ? wire.output : wire.input)->type;
            const std::string& otherType = (forward ? wire.input : wire.output)->type;
            const std::size_t other = forward ? wire.target : wire.source;
            if (ownType != "T") continue;
            if (otherType != "T") {
                keepOnly({otherType}, graph.blocks[other].id);
            } else if (!seen[other]) {
                seen[other] = true;
                keepOnly(graph.blocks[other].type->itemTypes, graph.blocks[other].id);
                pending.push_back(other);
            }
        }
    }
    return ruledOut;
}

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
    // Propagate a new type along the wires of its block only: passes over all wires would be quadratic in an unlucky
    // file order.
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

}  // namespace weir::editor
