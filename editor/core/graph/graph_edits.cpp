#include "core/graph/graph_edits.h"
#include "core/document/project_places.h"

#include <algorithm>

namespace weir::editor {
namespace {

Json toJson(const Connection& connection) {
    return Json::array({connection.source, connection.sourcePort, connection.target, connection.targetPort});
}

std::vector<Connection> connectionsOf(const Json& project) {
    std::vector<Connection> all;
    for (const Json& value : list(find(project, kGraph.connections)))
        if (auto connection = toConnection(value)) all.push_back(*connection);
    return all;
}

bool hasMember(const Json& group, const std::set<std::string>& blocks) {
    const Json& members = list(member(group, "blocks"));
    return std::any_of(members.begin(), members.end(),
                       [&blocks](const Json& id) { return blocks.contains(text(&id)); });
}

} // namespace

void replaceConnection(Transaction& transaction, const Connection& before, const Connection& after) {
    const Json& connections = list(find(transaction.json(), kGraph.connections));
    for (std::size_t index = 0; index < connections.size(); ++index)
        if (toConnection(connections[index]) == before) {
            transaction.set(kGraph.connections / index, toJson(after));
            return;
        }
    throw EditRefused("the connection no longer exists");
}

void insertOnWire(Transaction& transaction, const Connection& wire, const std::string& block, const Passage& passage) {
    replaceConnection(transaction, wire, {wire.source, wire.sourcePort, block, passage.input});
    addConnection(transaction, {block, passage.output, wire.target, wire.targetPort});
}

Healing healingWithout(const Json& project, const Catalog& catalog, const std::set<std::string>& blocks) {
    const std::vector<Connection> all = connectionsOf(project);
    std::set<Connection> going;
    for (const Connection& wire : all)
        if (blocks.contains(wire.source) || blocks.contains(wire.target)) going.insert(wire);
    const Fitting rest(project, catalog, going);

    Healing healing;
    for (const Connection& out : all) {
        if (!blocks.contains(out.source) || blocks.contains(out.target)) continue;
        // Walk upstream through removed blocks, nearest first, to the first remaining stream that fits.
        std::vector<std::string> walk{out.source};
        std::optional<Connection> joined;
        bool fed = false;
        for (std::size_t at = 0; at < walk.size() && !joined; ++at)
            for (const Connection& in : all) {
                if (in.target != walk[at]) continue;
                if (blocks.contains(in.source)) {
                    if (std::find(walk.begin(), walk.end(), in.source) == walk.end()) walk.push_back(in.source);
                    continue;
                }
                fed = true;
                if (haveCommonType(rest.typesAt(in.source, in.sourcePort, true),
                                   rest.typesAt(out.target, out.targetPort, false))) {
                    joined = Connection{in.source, in.sourcePort, out.target, out.targetPort};
                    break;
                }
            }
        if (joined) healing.joined.push_back(*joined);
        else if (fed) healing.lost.push_back(out);
    }
    return healing;
}

void removeAndHeal(Transaction& transaction, const std::set<std::string>& blocks, const Healing& healing) {
    removeParts(transaction, blocks, {});
    for (const Connection& connection : healing.joined) addConnection(transaction, connection);
}

void setBlockState(Transaction& transaction, const std::string& block, const std::string& state) {
    const auto at = blockPointer(transaction.json(), block);
    if (!at) throw EditRefused("block " + block + " does not exist");
    if (state == "enabled") transaction.remove(*at / "state");
    else transaction.set(*at / "state", state);
}

std::string freeGroupId(const Json& project, const std::string& wanted) {
    const Json& groups = list(find(project, kGraph.groups));
    const auto taken = [&groups](const std::string& id) {
        return std::any_of(groups.begin(), groups.end(),
                           [&id](const Json& group) { return text(member(group, "id")) == id; });
    };
    std::string id = wanted;
    for (int number = 2; taken(id) || blockPointer(project, id); ++number) id = wanted + "_" + std::to_string(number);
    return id;
}

void groupBlocks(Transaction& transaction, const std::string& group, const std::vector<std::string>& blocks) {
    const std::set<std::string> leaving(blocks.begin(), blocks.end());
    for (std::size_t index = list(find(transaction.json(), kGraph.groups)).size(); index-- > 0;) {
        const Pointer members = kGraph.groups / index / "blocks";
        for (std::size_t place = list(find(transaction.json(), members)).size(); place-- > 0;)
            if (leaving.contains(text(&transaction.json().at(members).at(place)))) transaction.remove(members / place);
        const Json* left = find(transaction.json(), members);
        if (left && left->is_array() && left->empty()) transaction.remove(kGraph.groups / index);
    }
    transaction.append(kGraph.groups, {{"id", group}, {"blocks", blocks}});
}

void renameGroup(Transaction& transaction, const std::string& from, const std::string& to) {
    const Json& groups = list(find(transaction.json(), kGraph.groups));
    for (std::size_t index = 0; index < groups.size(); ++index)
        if (text(member(groups[index], "id")) == from) {
            transaction.set(kGraph.groups / index / "id", to);
            return;
        }
    throw EditRefused("group " + from + " does not exist");
}

int ungroupBlocks(Transaction& transaction, const std::set<std::string>& blocks) {
    int count = 0;
    for (std::size_t index = list(find(transaction.json(), kGraph.groups)).size(); index-- > 0;)
        if (hasMember(transaction.json().at(kGraph.groups).at(index), blocks)) {
            transaction.remove(kGraph.groups / index);
            ++count;
        }
    if (const Json* left = find(transaction.json(), kGraph.groups); left && left->is_array() && left->empty())
        transaction.remove(kGraph.groups);
    return count;
}

} // namespace weir::editor
