#pragma once

#include "core/document/patch.h"
#include "core/json/json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

/// What the parts of a project are called, in the order of their lists: blocks, groups and deployments by their names,
/// connections by their ends. By it a pointer into one state of a project is followed into another.
class PartNames {
  public:
    PartNames() = default;
    explicit PartNames(const Json& project);

    /// Whether a change that touched these places can have changed the names, or their order.
    static bool mayDiffer(const ChangedPaths& changed);

    /// Where a pointer into this state leads `now`; nothing where its part has gone. A part that has another name at the
    /// same place of a list of the same length was renamed, and is the same. Pointers into no such list stay.
    std::optional<std::string> follow(const std::string& pointer, const PartNames& now) const;

  private:
    std::map<std::string, std::vector<std::string>> m_lists;  ///< names by the pointer of the list
};

}  // namespace weir::editor
