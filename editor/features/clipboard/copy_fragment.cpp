#include "features/clipboard/fragment.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"

#include <algorithm>
#include <cmath>
#include <regex>

namespace weir::editor {
namespace {

/// Collect the names in expressions anywhere below `value`.
void collectNames(const Json& value, std::set<std::string>& names) {
    static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
    if (const Json* expression = member(value, "expr"); expression && expression->is_string()) {
        const std::string text = expression->get<std::string>().substr(0, 1000);
        for (auto it = std::sregex_iterator(text.begin(), text.end(), word); it != std::sregex_iterator(); ++it)
            names.insert(it->str());
    }
    if (value.is_structured())
        for (const Json& child : value) collectNames(child, names);
}

Json copiedBlocks(const Json& project, const std::set<std::string>& wanted) {
    Json blocks = Json::array();
    for (const Json& block : list(find(project, kGraph.blocks)))
        if (wanted.contains(text(member(block, "id")))) blocks.push_back(block);
    return blocks;
}

Json copiedGroups(const Json& project, const std::set<std::string>& wanted) {
    Json groups = Json::array();
    for (const Json& group : list(find(project, kGraph.groups))) {
        const Json& members = list(member(group, "blocks"));
        if (!members.empty() &&
            std::all_of(members.begin(), members.end(), [&](const Json& id) { return wanted.contains(text(&id)); }))
            groups.push_back(group);
    }
    return groups;
}

template <typename Wanted> void copyMembers(Json& ui, const Json& project, const std::string& kind, Wanted wanted) {
    Json copied = Json::object();
    for (const auto& item : object(find(project, Pointer("/ui") / kind)).items())
        if (wanted(item.key())) copied[item.key()] = item.value();
    if (!copied.empty()) ui[kind] = std::move(copied);
}

} // namespace

Json parametersFor(const Json& parts, const Json& parameters) {
    std::set<std::string> names;
    collectNames(parts, names);
    for (std::size_t before = 0; before != names.size();) {
        before = names.size();
        for (const auto& item : parameters.items())
            if (names.contains(item.key())) collectNames(item.value(), names);
    }
    Json needed = Json::object();
    for (const auto& item : parameters.items())
        if (names.contains(item.key())) needed[item.key()] = item.value();
    return needed;
}

Json copyFragment(const Json& project, const Cutting& cutting) {
    Json graph{{"blocks", copiedBlocks(project, cutting.blocks)}};
    if (Json groups = copiedGroups(project, cutting.blocks); !groups.empty()) graph["groups"] = std::move(groups);
    Json connections = Json::array();
    std::set<std::string> wires;
    for (const Json& value : list(find(project, kGraph.connections))) {
        const auto connection = toConnection(value);
        if (!connection || !cutting.blocks.contains(connection->source) || !cutting.blocks.contains(connection->target))
            continue;
        connections.push_back(value);
        wires.insert(connection->source + "." + connection->sourcePort + "->" + connection->target + "." +
                     connection->targetPort);
    }
    graph["connections"] = std::move(connections);

    Json positions = Json::object();
    for (const auto& [id, position] : cutting.positions)
        if (cutting.blocks.contains(id))
            positions[id] = Json::array({static_cast<std::int64_t>(std::lround(position.x())),
                                         static_cast<std::int64_t>(std::lround(position.y()))});
    Json ui{{"positions", std::move(positions)}};
    copyMembers(ui, project, "colours", [&](const std::string& key) { return cutting.blocks.contains(key); });
    copyMembers(ui, project, "notes", [&](const std::string& key) { return cutting.notes.contains(key); });
    copyMembers(ui, project, "frames", [&](const std::string& key) { return cutting.frames.contains(key); });
    copyMembers(ui, project, "reroutes", [&](const std::string& key) { return wires.contains(key); });
    copyMembers(ui, project, "designs",
                [&](const std::string& key) { return cutting.blocks.contains(key.substr(0, key.find('.'))); });

    Json fragment{{"schema_version", 1}};
    if (Json parameters = parametersFor({graph, object(member(ui, "designs"))}, object(member(project, "parameters")));
        !parameters.empty())
        fragment["parameters"] = std::move(parameters);
    fragment["graph"] = std::move(graph);
    fragment["ui"] = std::move(ui);
    return fragment;
}

} // namespace weir::editor
