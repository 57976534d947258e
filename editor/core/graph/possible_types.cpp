#include "core/graph/possible_types.h"

#include "core/graph/typed_graph.h"

#include <algorithm>

namespace weir::editor {

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

} // namespace weir::editor
