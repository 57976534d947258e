#pragma once

#include "core/json/json.h"

#include <optional>
#include <string>

namespace weir::editor {

struct Connection {
    std::string source;
    std::string sourcePort;
    std::string target;
    std::string targetPort;

    bool operator==(const Connection&) const = default;
    auto operator<=>(const Connection&) const = default;
};

std::optional<Connection> toConnection(const Json& value);

// Questions about a project. Ids are the names of blocks; malformed parts of a file are passed over.
std::optional<Pointer> blockPointer(const Json& project, const std::string& id);
std::string freeBlockId(const Json& project, const std::string& wanted);
bool isValidName(const std::string& name);
std::optional<Pointer> deploymentPointer(const Json& project, const std::string& name);

} // namespace weir::editor
