#include "weir/reasons.hpp"

#include <algorithm>

namespace weir {

std::string_view name_of(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

RunStatus status_of(const std::vector<Reason>& reasons) {
    RunStatus worst = RunStatus::ok;
    for (const Reason& reason : reasons) worst = std::max(worst, spec_of(reason.code).status);
    return worst;
}

}  // namespace weir
