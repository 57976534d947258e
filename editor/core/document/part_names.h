#pragma once

#include "core/document/patch.h"
#include "core/json/json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

/// Names of the parts of a project, in list order: blocks, groups and deployments by name, connections by their ends.
/// They map a pointer from one state of a project to another.
class PartNames {
  public:
    PartNames() = default;
    explicit PartNames(const Json& project);

    /// Return whether a change at these pointers can have changed the names or their order.
    static bool mayDiffer(const ChangedPaths& changed);

    /// Return the pointer in `now` for a pointer into this state; nothing if the part was removed. Another name at the
    /// same index of a list of the same length is a rename. Pointers outside these lists stay.
    std::optional<std::string> follow(const std::string& pointer, const PartNames& now) const;

  private:
    std::map<std::string, std::vector<std::string>> m_lists;  ///< names by JSON pointer of the list
};

}  // namespace weir::editor
