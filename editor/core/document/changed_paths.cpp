#include "core/document/changed_paths.h"

#include <algorithm>

namespace weir::editor {

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
