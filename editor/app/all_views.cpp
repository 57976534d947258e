#include "app/all_views.h"

#include "found_views.h"

#include <algorithm>
#include <tuple>

namespace weir::editor {

std::vector<View> allViews() {
    std::vector<View> views;
    for (const auto& view : kViews) views.push_back(view());
    std::sort(views.begin(), views.end(),
              [](const View& a, const View& b) { return std::tie(a.place, a.name) < std::tie(b.place, b.name); });
    return views;
}

} // namespace weir::editor
