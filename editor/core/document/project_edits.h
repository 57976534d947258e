#pragma once

#include "json.h"
#include "patch.h"

#include <QPointF>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

struct Connection
{
    std::string source;
    std::string sourcePort;
    std::string target;
    std::string targetPort;

    bool operator==(const Connection &) const = default;
    auto operator<=>(const Connection &) const = default;
};

std::optional<Connection> toConnection(const Json &value);

// Questions about a project. Ids are the names of blocks; malformed parts of a file are passed over.
std::optional<Pointer> blockPointer(const Json &project, const std::string &id);
std::string freeBlockId(const Json &project, const std::string &wanted);
bool isValidName(const std::string &name);
std::optional<Pointer> deploymentPointer(const Json &project, const std::string &name);

// Edits. They throw EditRefused where the shape of the file does not allow them.
void addBlock(Transaction &transaction, const std::string &id, const std::string &type, QPointF position);
void removeParts(Transaction &transaction, const std::set<std::string> &blocks, const std::set<Connection> &connections);
void addConnection(Transaction &transaction, const Connection &connection);
void placeBlocks(Transaction &transaction, const std::vector<std::pair<std::string, QPointF>> &positions);
/// Follows the block's name through connections, groups, placements, affinities, buffers and the drawing.
void renameBlock(Transaction &transaction, const std::string &from, const std::string &to);

} // namespace weir::editor
