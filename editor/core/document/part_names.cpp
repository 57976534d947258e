#include "core/document/part_names.h"

#include "core/document/project_places.h"

#include <algorithm>
#include <charconv>

namespace weir::editor {

PartNames::PartNames(const Json& project) {
    const auto add = [&](const Pointer& place, const auto& nameOf) {
        std::vector<std::string>& names = m_lists[place.to_string()];
        for (const Json& part : list(find(project, place))) names.push_back(nameOf(part));
    };
    const auto id = [](const Json& part) { return text(member(part, "id")); };
    add(kGraph.blocks, id);
    add(kGraph.groups, id);
    add(kGraph.connections, [](const Json& part) { return part.dump(-1, ' ', false, Json::error_handler_t::replace); });
    add(kDeployments, [](const Json& part) { return text(member(part, "name")); });
}

bool PartNames::mayDiffer(const ChangedPaths& changed) {
    static const std::string lists[] = {kGraph.blocks.to_string(), kGraph.groups.to_string(), kDeployments.to_string()};
    static const std::string connections = kGraph.connections.to_string();
    return std::any_of(changed.places().begin(), changed.places().end(), [](const std::string& place) {
        if (isBelow(connections, place) || isBelow(place, connections)) return true;
        return std::any_of(std::begin(lists), std::end(lists), [&](const std::string& parts) {
            if (!isBelow(place, parts)) return isBelow(parts, place);
            const auto below = std::count(place.begin() + static_cast<std::ptrdiff_t>(parts.size()), place.end(), '/');
            return below < 2 || (below == 2 && (place.ends_with("/id") || place.ends_with("/name")));
        });
    });
}

std::optional<std::string> PartNames::follow(const std::string& pointer, const PartNames& now) const {
    for (const auto& [place, names] : m_lists) {
        if (!pointer.starts_with(place + '/')) continue;
        const char *begin = pointer.data() + place.size() + 1, *end = pointer.data() + pointer.size();
        std::size_t index = 0;
        const auto [rest, error] = std::from_chars(begin, end, index);
        if (error != std::errc() || index >= names.size()) return pointer;
        const std::string& name = names[index];
        const auto others = now.m_lists.find(place);
        const auto& present = others != now.m_lists.end() ? others->second : std::vector<std::string>();
        const bool renamed =
            present.size() == names.size() && std::find(names.begin(), names.end(), present[index]) == names.end();
        if (index < present.size() && (present[index] == name || renamed)) return pointer;
        const auto found = std::find(present.begin(), present.end(), name);
        if (found == present.end()) return std::nullopt;
        return place + '/' + std::to_string(found - present.begin()) + std::string(rest, end);
    }
    return pointer;
}

} // namespace weir::editor
