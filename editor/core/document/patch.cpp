#include "core/document/patch.h"

#include "core/document/project_schema.h"

#include <algorithm>
#include <unordered_map>

namespace weir::editor {
namespace {

std::size_t arrayIndex(const std::string& token) { return static_cast<std::size_t>(std::stoull(token)); }

void insertMember(Json& object, std::size_t position, const std::string& key, const Json& value) {
    // Members of an ordered object cannot be moved past each other in place: their keys are const.
    Json rebuilt = Json::object();
    Json::object_t::Container& members = rebuilt.get_ref<Json::object_t&>();
    members.reserve(object.size() + 1);
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (members.size() == position) members.emplace_back(key, value);
        members.emplace_back(it.key(), std::move(*it));
    }
    if (members.size() <= position) members.emplace_back(key, value);
    object = std::move(rebuilt);
}

void insertAt(Json& root, const Pointer& at, std::size_t position, const Json& value) {
    Json& parent = root.at(at.parent_pointer());
    if (parent.is_array()) parent.insert(parent.begin() + static_cast<std::ptrdiff_t>(position), value);
    else insertMember(parent, position, at.back(), value);
}

void removeAt(Json& root, const Pointer& at) {
    Json& parent = root.at(at.parent_pointer());
    if (parent.is_array()) parent.erase(arrayIndex(at.back()));
    else parent.erase(at.back());
}

void change(Json& root, const Patch& patch, const std::optional<Json>& from, const std::optional<Json>& to) {
    if (from && to) root.at(patch.at) = *to;
    else if (to) insertAt(root, patch.at, patch.position, *to);
    else removeAt(root, patch.at);
}

std::size_t positionOf(const Json& parent, const std::string& token) {
    if (parent.is_array()) return arrayIndex(token);
    return static_cast<std::size_t>(std::distance(parent.begin(), parent.find(token)));
}

} // namespace

void Patch::apply(Json& root) const { change(root, *this, before, after); }

void Patch::revert(Json& root) const { change(root, *this, after, before); }

void Transaction::record(Patch patch) {
    patch.apply(m_root);
    m_patches.push_back(std::move(patch));
}

void Transaction::makeParent(const Pointer& at, const Json& emptyParent) {
    const Pointer parent = at.parent_pointer();
    if (!m_root.contains(parent)) {
        makeParent(parent, Json::object());
        const Json& grandparent = m_root.at(parent.parent_pointer());
        record({parent, insertionPosition(grandparent, parent.parent_pointer(), parent.back()), {}, emptyParent});
    }
    if (m_root.at(parent).type() != emptyParent.type())
        throw EditRefused(parent.to_string() + " is not " + (emptyParent.is_array() ? "a list" : "an object"));
}

void Transaction::set(const Pointer& at, Json value) {
    if (const Json* old = find(m_root, at)) {
        if (*old != value || old->type() != value.type() || old->dump() != value.dump())
            record({at, positionOf(m_root.at(at.parent_pointer()), at.back()), *old, std::move(value)});
        return;
    }
    makeParent(at, Json::object());
    const Pointer parent = at.parent_pointer();
    record({at, insertionPosition(m_root.at(parent), parent, at.back()), {}, std::move(value)});
}

void Transaction::remove(const Pointer& at) {
    if (const Json* old = find(m_root, at))
        record({at, positionOf(m_root.at(at.parent_pointer()), at.back()), *old, {}});
}

void Transaction::append(const Pointer& array, Json value) {
    makeParent(array / "-", Json::array());
    const std::size_t index = m_root.at(array).size();
    record({array / index, index, {}, std::move(value)});
}

void Transaction::rollBack() {
    for (auto patch = m_patches.rbegin(); patch != m_patches.rend(); ++patch) patch->revert(m_root);
    m_patches.clear();
}

std::vector<Patch> merged(std::vector<Patch> first, const std::vector<Patch>& second) {
    const auto isReplacement = [](const Patch& patch) { return patch.before && patch.after; };
    // Look up the last patch by place: a linear search would make a nudge of many blocks quadratic.
    std::unordered_map<std::string, std::size_t> last;
    for (std::size_t index = 0; index < first.size(); ++index) last[first[index].at.to_string()] = index;
    for (const Patch& next : second) {
        const auto [same, isNew] = last.try_emplace(next.at.to_string(), first.size());
        if (!isNew && first[same->second].after && isReplacement(next)) {
            first[same->second].after = next.after;
            continue;
        }
        same->second = first.size();
        first.push_back(next);
    }
    return first;
}

bool isBelow(std::string_view place, std::string_view parent) {
    return place.starts_with(parent) && (place.size() == parent.size() || place[parent.size()] == '/');
}

ChangedPaths ChangedPaths::everything() {
    ChangedPaths changed;
    changed.m_places.emplace_back();
    return changed;
}

ChangedPaths::ChangedPaths(const std::vector<Patch>& patches, const Json& root) {
    for (const Patch& patch : patches) {
        const bool replaced = patch.before && patch.after;
        const Pointer parent = patch.at.parent_pointer();
        const Json* list = replaced ? nullptr : find(root, parent);
        m_places.push_back((list && list->is_array() ? parent : patch.at).to_string());
    }
}

bool ChangedPaths::isWithin(std::initializer_list<std::string_view> places) const {
    return std::all_of(m_places.begin(), m_places.end(), [&](const std::string& changed) {
        return std::any_of(places.begin(), places.end(),
                           [&](std::string_view place) { return isBelow(changed, place); });
    });
}

} // namespace weir::editor
