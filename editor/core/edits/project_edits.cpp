#include "core/edits/project_edits.h"

#include "core/decor/decor_edits.h"
#include "core/document/project_places.h"
#include "core/document/sweep_axes.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace weir::editor {
namespace {

Json coordinates(QPointF position) {
    return Json::array(
        {static_cast<std::int64_t>(std::lround(position.x())), static_cast<std::int64_t>(std::lround(position.y()))});
}

template <typename Keep> void removeFromList(Transaction& transaction, const Pointer& array, Keep keep) {
    for (std::size_t index = list(find(transaction.json(), array)).size(); index-- > 0;)
        if (!keep(transaction.json().at(array).at(index))) transaction.remove(array / index);
}

std::vector<std::string> designsOf(const Json& project, const std::string& block) {
    std::vector<std::string> designs;
    for (const auto& item : object(find(project, kDesigns)).items())
        if (item.key().rfind(block + ".", 0) == 0) designs.push_back(item.key());
    return designs;
}

/// Drops the thread settings of removed blocks from the deployments. A pattern that also fits other blocks stays.
void forgetThreads(Transaction& transaction, const std::set<std::string>& blocks) {
    for (std::size_t index = list(find(transaction.json(), kDeployments)).size(); index-- > 0;) {
        const Pointer threads = kDeployments / index / "threads";
        const Json before = object(find(transaction.json(), threads));
        Json after = Json::object();
        for (const auto& [name, value] : before.items())
            if (!blocks.contains(name.substr(0, name.find_first_of("[@")))) after[name] = value;
        if (after.empty() && !before.empty()) transaction.remove(threads);
        else if (after != before) transaction.set(threads, std::move(after));
    }
}

} // namespace

void addBlock(Transaction& transaction, const std::string& id, const std::string& type, QPointF position) {
    transaction.append(kGraph.blocks, {{"id", id}, {"type", type}});
    transaction.set(kPositions / id, coordinates(position));
}

bool hasGnuradioName(const Json& project, const std::string& name) {
    const Json& blocks = list(find(project, kGraph.blocks));
    return std::any_of(blocks.begin(), blocks.end(), [&name](const Json& block) {
        const Json* gnuradio = member(block, "gnuradio");
        return gnuradio && text(member(*gnuradio, "name")) == name;
    });
}

std::string freeGnuradioName(const Json& project, const std::string& type) {
    const Json& kept = list(find(project, Pointer("/gnuradio/flowgraph/blocks")));
    for (int number = 0;; ++number) {
        const std::string name = type + '_' + std::to_string(number);
        if (!hasGnuradioName(project, name) && std::none_of(kept.begin(), kept.end(), [&name](const Json& block) {
                return text(member(block, "name")) == name;
            }))
            return name;
    }
}

void addGnuradioBlock(Transaction& transaction, const std::string& id, Json entry, QPointF position) {
    Json block = {{"id", id}};
    block.update(entry);
    block["gnuradio"]["name"] = freeGnuradioName(transaction.json(), text(find(entry, Pointer("/gnuradio/type"))));
    transaction.append(kGraph.blocks, std::move(block));
    transaction.set(kPositions / id, coordinates(position));
}

void removeParts(Transaction& transaction, const std::set<std::string>& blocks,
                 const std::set<Connection>& connections) {
    std::vector<Connection> gone;
    removeFromList(transaction, kGraph.connections, [&](const Json& value) {
        const auto connection = toConnection(value);
        if (!connection || !(connections.contains(*connection) || blocks.contains(connection->source) ||
                             blocks.contains(connection->target)))
            return true;
        gone.push_back(*connection);
        return false;
    });
    decor::removePoints(transaction, gone);
    for (std::size_t index = list(find(transaction.json(), kGraph.blocks)).size(); index-- > 0;)
        if (blocks.contains(text(find(transaction.json(), kGraph.blocks / index / "id")))) {
            transaction.remove(kGraph.blocks / index);
            followRemoval(transaction, kGraph.blocks, index);
        }
    const std::size_t groups = list(find(transaction.json(), kGraph.groups)).size();
    for (std::size_t group = 0; group < groups; ++group)
        removeFromList(transaction, kGraph.groups / group / "blocks",
                       [&](const Json& id) { return !blocks.contains(text(&id)); });
    removeFromList(transaction, kGraph.groups, [](const Json& group) {
        const Json* members = member(group, "blocks");
        return !members || !members->is_array() || !members->empty();
    });
    if (!blocks.empty()) forgetThreads(transaction, blocks);
    for (const std::string& id : blocks) {
        transaction.remove(kPositions / id);
        transaction.remove(Pointer("/ui/colours") / id);
        for (const std::string& design : designsOf(transaction.json(), id)) transaction.remove(kDesigns / design);
    }
}

void addConnection(Transaction& transaction, const Connection& connection) {
    transaction.append(kGraph.connections, Json::array({connection.source, connection.sourcePort, connection.target,
                                                        connection.targetPort}));
}

void placeBlocks(Transaction& transaction, const std::vector<std::pair<std::string, QPointF>>& positions) {
    const Json* present = find(transaction.json(), kPositions);
    if (positions.size() < 2 || !present || !present->is_object()) {
        for (const auto& [id, position] : positions) transaction.set(kPositions / id, coordinates(position));
        return;
    }
    // Rebuild the object at once: each lookup in an ordered object is linear.
    Json places = *present;
    auto& members = places.get_ref<Json::object_t&>();
    std::unordered_map<std::string, std::size_t> indices;
    for (std::size_t index = 0; index < members.size(); ++index)
        indices.emplace((members.begin() + static_cast<std::ptrdiff_t>(index))->first, index);
    for (const auto& [id, position] : positions) {
        const auto [at, isNew] = indices.try_emplace(id, members.size());
        if (isNew) static_cast<Json::object_t::Container&>(members).emplace_back(id, coordinates(position));
        else (members.begin() + static_cast<std::ptrdiff_t>(at->second))->second = coordinates(position);
    }
    transaction.set(kPositions, std::move(places));
}

void renameKeys(Transaction& transaction, const Pointer& at,
                const std::function<std::string(const std::string&)>& rewrite) {
    const Json* object = find(transaction.json(), at);
    if (!object || !object->is_object()) return;
    Json renamed = Json::object();
    for (const auto& item : object->items()) renamed[rewrite(item.key())] = item.value();
    if (renamed != *object) transaction.set(at, std::move(renamed));
}

} // namespace weir::editor
