#pragma once

#include "core/json/json.h"

#include <optional>
#include <string>

// JSON pointers to the parts of a project file.

namespace weir::editor {

/// Pointer to a flowgraph in the project, and to its parts.
struct GraphPath {
    explicit GraphPath(const Pointer& at)
        : root(at), blocks(at / "blocks"), connections(at / "connections"), groups(at / "groups"), pipes(at / "pipes") {
    }

    const Pointer root;
    const Pointer blocks;
    const Pointer connections;
    const Pointer groups;
    const Pointer pipes;
};

/// The project's flowgraph; a nested graph would have another pointer.
inline const GraphPath kGraph{Pointer("/graph")};
inline const Pointer kDeployments{"/deployments"};
inline const Pointer kRun{"/run"};
inline const Pointer kPositions{"/ui/positions"};
inline const Pointer kDesigns{"/ui/designs"}; ///< "block.parameter" -> specification of its taps

/// Largest valid coordinate: a drawing further from the origin makes no sense.
inline constexpr double kFarthest = 1e6;

struct Connection {
    std::string source;
    std::string sourcePort;
    std::string target;
    std::string targetPort;

    bool operator==(const Connection&) const = default;
    auto operator<=>(const Connection&) const = default;
};

std::optional<Connection> toConnection(const Json& value);

// Questions about a project. Ids are the names of blocks; malformed parts of a file are skipped.
std::optional<Pointer> blockPointer(const Json& project, const std::string& id);
std::string freeBlockId(const Json& project, const std::string& wanted);
bool isValidName(const std::string& name);
std::optional<Pointer> deploymentPointer(const Json& project, const std::string& name);

} // namespace weir::editor
