#include "possible_types.h"

#include "project_edits.h"
#include "project_places.h"

#include <algorithm>
#include <set>

namespace weir::editor {
namespace {

struct Joined
{
    std::string type; ///< of the port
    std::string other;
    std::string otherType;
};

std::string portTypeOf(const std::vector<PortType> &ports, const std::string &id)
{
    const auto it = std::find_if(ports.begin(), ports.end(), [&](const PortType &port) { return port.id == id; });
    return it == ports.end() ? std::string() : it->type;
}

} // namespace

std::map<std::string, std::string> ruledOutTypes(const Json &project, const Catalog &catalog, const std::string &block)
{
    std::map<std::string, const BlockType *> types;
    for (const Json &entry : list(find(project, kGraph.blocks)))
        if (const BlockType *type = catalog.block(text(member(entry, "type"))))
            types[text(member(entry, "id"))] = type;
    std::multimap<std::string, Joined> joined;
    for (const Json &value : list(find(project, kGraph.connections))) {
        const auto wire = toConnection(value);
        if (!wire || !types.contains(wire->source) || !types.contains(wire->target))
            continue;
        const std::string from = portTypeOf(types[wire->source]->outputs, wire->sourcePort);
        const std::string to = portTypeOf(types[wire->target]->inputs, wire->targetPort);
        joined.emplace(wire->source, Joined{from, wire->target, to});
        joined.emplace(wire->target, Joined{to, wire->source, from});
    }
    std::map<std::string, std::string> ruledOut;
    const auto keepOnly = [&](const std::vector<std::string> &possible, const std::string &because) {
        for (const std::string &type : types[block]->itemTypes)
            if (std::find(possible.begin(), possible.end(), type) == possible.end())
                ruledOut.emplace(type, because);
    };
    std::set<std::string> seen{block};
    std::vector<std::string> pending{block};
    while (types.contains(block) && !pending.empty()) {
        const std::string here = pending.back();
        pending.pop_back();
        const auto [begin, end] = joined.equal_range(here);
        for (auto it = begin; it != end; ++it) {
            const Joined &to = it->second;
            if (to.type != "T" || to.otherType.empty())
                continue;
            if (to.otherType != "T") {
                keepOnly({to.otherType}, to.other);
            } else if (seen.insert(to.other).second) {
                keepOnly(types[to.other]->itemTypes, to.other);
                pending.push_back(to.other);
            }
        }
    }
    return ruledOut;
}

} // namespace weir::editor
