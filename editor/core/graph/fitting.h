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

/// Item types that a port can have; empty: any.
using ItemTypes = std::vector<std::string>;

bool haveCommonType(const ItemTypes& a, const ItemTypes& b);

/// Ports through which a block is inserted into a wire.
struct Passage {
    std::string input;
    std::string output;

    bool operator==(const Passage&) const = default;
};

/// Item types that the ports of a project can have without some of the wires, and blocks that fit them.
class Fitting {
  public:
    Fitting(const Json& project, const Catalog& catalog, const std::set<Connection>& without = {});

    /// Return the types of a port of a block in the project; an unknown port or block takes any.
    ItemTypes typesAt(const std::string& block, const std::string& port, bool output) const;
    /// Return the item types that a block in the project can choose as its own.
    ItemTypes ownTypes(const std::string& block) const;
    const BlockType* typeOf(const std::string& block) const;

  private:
    std::map<std::string, const BlockType*> m_blockTypes;
    std::map<std::string, Json> m_gnuradio;  ///< blocks of GNU Radio, which state their ports themselves
    std::map<std::string, std::string> m_itemTypes;
};

/// Return the first port that can connect to one of these types; `own` are the types that the block can still choose.
std::optional<std::string> portThatTakes(const BlockType& type, const ItemTypes& own, const ItemTypes& wanted,
                                         bool output);
std::optional<Passage> passageThrough(const BlockType& type, const ItemTypes& own, const ItemTypes& from,
                                      const ItemTypes& to);

/// Return the block types that can connect to the port, and those that can be inserted into the wire.
std::set<std::string> typesThatFitPort(const Json& project, const Catalog& catalog, const std::string& block,
                                       const std::string& port, bool output, const std::set<Connection>& without = {});
std::set<std::string> typesThatFitWire(const Json& project, const Catalog& catalog, const Connection& wire);

} // namespace weir::editor
