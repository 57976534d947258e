#pragma once

#include "core/document/patch.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace weir::editor {

/// The places that a change of a document touched, as JSON pointers; each stands for all that is below it, too.
class ChangedPaths {
  public:
    static ChangedPaths everything();
    /// `root`: the document after the change. What came into a list or went from it moves its neighbours: the place is
    /// then the list.
    ChangedPaths(const std::vector<Patch>& patches, const Json& root);

    /// Whether all that changed is at or below one of the places.
    bool isWithin(std::initializer_list<std::string_view> places) const;
    /// Only how the graph is drawn changed, of which nothing depends that the command line says.
    bool isDrawing() const {
        return isWithin({"/ui/positions", "/ui/reroutes", "/ui/frames", "/ui/notes", "/ui/colours"});
    }
    const std::vector<std::string>& places() const { return m_places; }

  private:
    ChangedPaths() = default;

    std::vector<std::string> m_places;
};

/// Whether the place is `parent` or below it.
bool isBelow(std::string_view place, std::string_view parent);

}  // namespace weir::editor
