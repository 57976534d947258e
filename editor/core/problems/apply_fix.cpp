#include "core/problems/apply_fix.h"

#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/graph/graph_edits.h"

namespace weir::editor {
namespace {

constexpr int kColumn = 240; ///< distance between columns, as in layouts

[[noreturn]] void refuseGone() { throw EditRefused("the value to fix no longer exists"); }

/// Return whether the block, deployment or other element of a list that the pointer leads into exists.
bool hasElement(const Json& project, const Pointer& place) {
    for (const Pointer& list : {kGraph.blocks, kGraph.connections, kGraph.groups, kDeployments}) {
        if (!place.to_string().starts_with(list.to_string() + '/')) continue;
        Pointer element = place;
        while (element.parent_pointer() != list) element.pop_back();
        return find(project, element);
    }
    return true;
}

void renameKey(Transaction& transaction, const Pointer& place, const std::string& key) {
    const Pointer parent = place.parent_pointer();
    if (!find(transaction.json(), place)) refuseGone();
    if (key.empty() || find(transaction.json(), parent / key))
        throw EditRefused(key.empty() ? "the other name is missing" : key + " already exists");
    renameKeys(transaction, parent, [&](const std::string& name) { return name == place.back() ? key : name; });
}

std::optional<QPointF> drawnAt(const Json& project, const std::string& block) {
    const Json* place = find(project, kPositions / block);
    if (!place || !place->is_array() || place->size() != 2 || !place->at(0).is_number() || !place->at(1).is_number())
        return {};
    return QPointF(place->at(0).get<double>(), place->at(1).get<double>());
}

/// Places the block between both ends, and moves blocks further right if the gap is too small.
void placeBetween(Transaction& transaction, const std::string& block, const Connection& wire) {
    const auto from = drawnAt(transaction.json(), wire.source);
    const auto to = drawnAt(transaction.json(), wire.target);
    if (!from || !to) return; // no position in the file: the layout places it like the ends
    std::vector<std::pair<std::string, QPointF>> places;
    const double missing = from->x() + 2 * kColumn - to->x();
    if (missing > 0 && to->x() > from->x())
        for (const auto& item : object(find(transaction.json(), kPositions)).items())
            if (const auto place = drawnAt(transaction.json(), item.key()); place && place->x() >= to->x())
                places.emplace_back(item.key(), *place + QPointF(missing, 0));
    places.emplace_back(block, QPointF(from->x() + kColumn, (from->y() + to->y()) / 2));
    placeBlocks(transaction, places);
}

void insertBlock(Transaction& transaction, const Pointer& place, const Json& what) {
    const Json* connection = find(transaction.json(), place);
    const auto wire = connection ? toConnection(*connection) : std::nullopt;
    if (!wire) refuseGone();
    const std::string type = text(member(what, "type"));
    const std::string id = freeBlockId(transaction.json(), type);
    Json block = {{"id", id}, {"type", type}};
    if (const Json& parameters = object(member(what, "parameters")); !parameters.empty())
        block["parameters"] = parameters;
    transaction.append(kGraph.blocks, std::move(block));
    insertOnWire(transaction, *wire, id, {text(member(what, "input")), text(member(what, "output"))});
    placeBetween(transaction, id, *wire);
}

} // namespace

void applyFix(Transaction& transaction, const ProblemFix& fix) {
    const Pointer place(fix.pointer.toStdString());
    if (place.empty() || !hasElement(transaction.json(), place)) refuseGone();
    if (const Json* value = member(fix.what, "set")) transaction.set(place, *value);
    else if (const Json* key = member(fix.what, "rename")) renameKey(transaction, place, text(key));
    else if (member(fix.what, "remove")) transaction.remove(place);
    else if (const Json* block = member(fix.what, "insert")) insertBlock(transaction, place, *block);
}

} // namespace weir::editor
