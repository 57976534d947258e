#include "core/document/project_places.h"

#include <algorithm>

namespace weir::editor {

std::optional<Connection> toConnection(const Json& value) {
    if (!value.is_array() || value.size() != 4 ||
        !std::all_of(value.begin(), value.end(), [](const Json& part) { return part.is_string(); }))
        return {};
    return Connection{value[0], value[1], value[2], value[3]};
}

std::optional<Pointer> blockPointer(const Json& project, const std::string& id) {
    const Json& blocks = list(find(project, kGraph.blocks));
    for (std::size_t index = 0; index < blocks.size(); ++index)
        if (text(member(blocks[index], "id")) == id) return kGraph.blocks / index;
    return {};
}

std::optional<Pointer> deploymentPointer(const Json& project, const std::string& name) {
    const Json& deployments = list(find(project, kDeployments));
    for (std::size_t index = 0; index < deployments.size(); ++index)
        if (text(member(deployments[index], "name")) == name) return kDeployments / index;
    return {};
}

std::string freeBlockId(const Json& project, const std::string& wanted) {
    std::string id = wanted;
    for (int number = 2; blockPointer(project, id); ++number) id = wanted + "_" + std::to_string(number);
    return id;
}

bool isValidName(const std::string& name) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.size() <= 64 && name.front() >= 'a' && name.front() <= 'z' &&
           std::all_of(name.begin(), name.end(), allowed);
}

} // namespace weir::editor
