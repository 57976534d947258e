#pragma once

#include "core/json/json.h"

#include <optional>
#include <string>

// Where the parts of a project file are.

namespace weir::editor {

/// Place of a flowgraph in the project, and the places of its parts.
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

/// The project's flowgraph; a graph within a graph would have another.
inline const GraphPath kGraph{Pointer("/graph")};
inline const Pointer kDeployments{"/deployments"};
inline const Pointer kRun{"/run"};
inline const Pointer kPositions{"/ui/positions"};
inline const Pointer kDesigns{"/ui/designs"}; ///< "block.parameter" -> what its taps were designed from

/// Coordinates beyond this are no place: a picture that far from the origin is none.
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

// Questions about a project. Ids are the names of blocks; malformed parts of a file are passed over.
std::optional<Pointer> blockPointer(const Json& project, const std::string& id);
std::string freeBlockId(const Json& project, const std::string& wanted);
bool isValidName(const std::string& name);
std::optional<Pointer> deploymentPointer(const Json& project, const std::string& name);

} // namespace weir::editor
