#include "core/document/project_places.h"
#include "core/edits/project_edits.h"

#include <functional>

namespace weir::editor {
namespace {

using Rewrite = std::function<std::string(const std::string&)>;

/// Names of instances begin with their block: `stage`, `stage[2]@p3`, `stage[0..2]@*`, `stage.out`.
std::string renamedInstance(const std::string& name, const std::string& from, const std::string& to) {
    if (name.compare(0, from.size(), from) != 0) return name;
    const std::string rest = name.substr(from.size());
    return rest.empty() || rest.front() == '[' || rest.front() == '@' || rest.front() == '.' ? to + rest : name;
}

std::string renamedEdge(const std::string& edge, const std::string& from, const std::string& to) {
    const auto arrow = edge.find("->");
    if (arrow == std::string::npos) return renamedInstance(edge, from, to);
    return renamedInstance(edge.substr(0, arrow), from, to) + "->" + renamedInstance(edge.substr(arrow + 2), from, to);
}

void renameInConnections(Transaction& transaction, const std::string& from, const std::string& to) {
    const Pointer& connections = kGraph.connections;
    const std::size_t count = list(find(transaction.json(), connections)).size();
    for (std::size_t index = 0; index < count; ++index) {
        const auto connection = toConnection(transaction.json().at(connections).at(index));
        if (connection && connection->source == from) transaction.set(connections / index / 0, to);
        if (connection && connection->target == from) transaction.set(connections / index / 2, to);
    }
}

void renameInGroups(Transaction& transaction, const std::string& from, const std::string& to) {
    const Pointer& groups = kGraph.groups;
    const std::size_t count = list(find(transaction.json(), groups)).size();
    for (std::size_t group = 0; group < count; ++group) {
        const Pointer members = groups / group / "blocks";
        const std::size_t size = list(find(transaction.json(), members)).size();
        for (std::size_t index = 0; index < size; ++index)
            if (text(&transaction.json().at(members).at(index)) == from) transaction.set(members / index, to);
    }
}

} // namespace

void renameBlock(Transaction& transaction, const std::string& from, const std::string& to) {
    const auto block = blockPointer(transaction.json(), from);
    if (!block) throw EditRefused("block " + from + " does not exist");
    transaction.set(*block / "id", to);
    renameInConnections(transaction, from, to);
    renameInGroups(transaction, from, to);

    const Rewrite instance = [&](const std::string& name) { return renamedInstance(name, from, to); };
    const Rewrite edge = [&](const std::string& name) { return renamedEdge(name, from, to); };
    const Pointer deployments("/deployments");
    const std::size_t count = list(find(transaction.json(), deployments)).size();
    for (std::size_t index = 0; index < count; ++index) {
        const Pointer deployment = deployments / index;
        renameKeys(transaction, deployment / "placement" / "map", instance);
        renameKeys(transaction, deployment / "affinity", instance);
        renameKeys(transaction, deployment / "threads", instance);
        renameKeys(transaction, deployment / "buffers", edge);
    }
    const Rewrite whole = [&](const std::string& name) { return name == from ? to : name; };
    renameKeys(transaction, kPositions, whole);
    renameKeys(transaction, Pointer("/ui/colours"), whole);
    renameKeys(transaction, Pointer("/ui/reroutes"), edge);
    renameKeys(transaction, kDesigns, instance);
}

} // namespace weir::editor
