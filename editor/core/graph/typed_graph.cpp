#include "core/graph/typed_graph.h"

#include "core/document/project_parts.h"
#include "core/document/project_places.h"

namespace weir::editor {

TypedGraph::TypedGraph(const Json& project, const Catalog& catalog) {
    for (const Json& entry : list(find(project, kGraph.blocks))) {
        const Json* id = member(entry, "id");
        const BlockType* type = catalog.block(text(member(entry, "type")));
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

} // namespace weir::editor
