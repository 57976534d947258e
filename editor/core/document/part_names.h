#pragma once

#include "core/document/patch.h"
#include "core/json/json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

/// Names of the parts of a project, in the order of their lists: blocks, groups and deployments by their names,
/// connections by their ends. They lead a pointer from one state of a project to another.
class PartNames {
  public:
    PartNames() = default;
    explicit PartNames(const Json& project);

    /// Return whether a change at these places can have changed the names, or their order.
    static bool mayDiffer(const ChangedPaths& changed);

    /// Return the place in `now` of a pointer into this state; nothing if its part has gone. A part with another name
    /// at the same place of a list of the same length was renamed. Pointers into no such list stay.
    std::optional<std::string> follow(const std::string& pointer, const PartNames& now) const;

  private:
    std::map<std::string, std::vector<std::string>> m_lists;  ///< names by the pointer of the list
};

}  // namespace weir::editor
