#pragma once

#include "core/catalog/catalog.h"
#include "core/edits/project_edits.h"
#include "core/json/json.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::editor {

/// Item types that a port can have; empty where anything goes.
using ItemTypes = std::vector<std::string>;

bool haveCommonType(const ItemTypes& a, const ItemTypes& b);

/// The ports by which a block comes to lie on a wire.
struct Passage {
    std::string input;
    std::string output;

    bool operator==(const Passage&) const = default;
};

/// Item types that the ports of a project can have, some wires left out, and blocks that fit to them.
class Fitting {
  public:
    Fitting(const Json& project, const Catalog& catalog, const std::set<Connection>& without = {});

    /// At a port of a block in the project; a port or block that is not known takes anything.
    ItemTypes typesAt(const std::string& block, const std::string& port, bool output) const;
    /// The item types that a block in the project may have as its own.
    ItemTypes ownTypes(const std::string& block) const;
    const BlockType* typeOf(const std::string& block) const;

  private:
    const Catalog& m_catalog;
    std::map<std::string, std::string> m_blockTypes;
    std::map<std::string, std::string> m_itemTypes;
};

/// The first port that can be joined to one of these types; `own` narrows a block that has chosen its type.
std::optional<std::string> portThatTakes(const BlockType& type, const ItemTypes& own, const ItemTypes& wanted,
                                         bool output);
std::optional<Passage> passageThrough(const BlockType& type, const ItemTypes& own, const ItemTypes& from,
                                      const ItemTypes& to);

/// Types of blocks that can be joined to the port, and those that can lie on the wire.
std::set<std::string> typesThatFitPort(const Json& project, const Catalog& catalog, const std::string& block,
                                       const std::string& port, bool output, const std::set<Connection>& without = {});
std::set<std::string> typesThatFitWire(const Json& project, const Catalog& catalog, const Connection& wire);

} // namespace weir::editor
