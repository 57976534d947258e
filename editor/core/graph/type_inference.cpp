#include "project_places.h"
#include "type_inference.h"

#include <algorithm>
#include <deque>

namespace weir::editor {
namespace {

const PortType *port(const std::vector<PortType> &ports, const std::string &id)
{
    const auto it = std::find_if(ports.begin(), ports.end(), [&](const PortType &p) { return p.id == id; });
    return it == ports.end() ? nullptr : &*it;
}

struct End
{
    std::string block;
    const BlockType *type = nullptr;
    const PortType *port = nullptr;
};

} // namespace

std::string portItemType(const PortType &port, const std::string &blockType)
{
    return port.type == "T" ? blockType : port.type;
}

std::map<std::string, std::string> inferItemTypes(const Json &project, const Catalog &catalog)
{
    std::map<std::string, std::string> known;
    std::map<std::string, const BlockType *> types;
    for (const Json &block : list(find(project, kGraph.blocks))) {
        const BlockType *type = catalog.block(text(member(block, "type")));
        if (!type)
            continue;
        const std::string id = text(member(block, "id"));
        types[id] = type;
        const std::string chosen = text(member(object(member(block, "parameters")), "item_type"));
        if (!chosen.empty())
            known[id] = chosen;
        else if (type->itemTypes.size() == 1)
            known[id] = type->itemTypes.front();
    }

    std::vector<std::pair<End, End>> edges;
    for (const Json &value : list(find(project, kGraph.connections))) {
        const auto connection = toConnection(value);
        if (!connection || !types.contains(connection->source) || !types.contains(connection->target))
            continue;
        End from{connection->source, types[connection->source], nullptr};
        End to{connection->target, types[connection->target], nullptr};
        from.port = port(from.type->outputs, connection->sourcePort);
        to.port = port(to.type->inputs, connection->targetPort);
        if (from.port && to.port)
            edges.emplace_back(from, to);
    }

    const auto typeAt = [&known](const End &end) {
        const auto it = known.find(end.block);
        return portItemType(*end.port, it == known.end() ? std::string() : it->second);
    };
    const auto spread = [&known, &typeAt](const End &from, const End &to) {
        const std::string type = typeAt(from);
        const auto &allowed = to.type->itemTypes;
        if (type.empty() || to.port->type != "T" || known.contains(to.block)
            || std::find(allowed.begin(), allowed.end(), type) == allowed.end())
            return false;
        known[to.block] = type;
        return true;
    };
    std::map<std::string, std::vector<std::size_t>> at;
    std::deque<std::size_t> open;
    for (std::size_t index = 0; index < edges.size(); ++index) {
        at[edges[index].first.block].push_back(index);
        at[edges[index].second.block].push_back(index);
        open.push_back(index);
    }
    // A type that becomes known goes on along the edges of its block alone: passes over all of them would take the
    // square of their number where the file has them in an unlucky order.
    while (!open.empty()) {
        const auto &[from, to] = edges[open.front()];
        open.pop_front();
        for (const bool forward : {true, false}) {
            const End &end = forward ? to : from;
            if (spread(forward ? from : to, end))
                open.insert(open.end(), at[end.block].begin(), at[end.block].end());
        }
    }
    return known;
}

} // namespace weir::editor
