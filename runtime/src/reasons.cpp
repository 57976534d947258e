#include "weir/reasons.hpp"

#include <algorithm>
#include <iterator>

namespace weir {

namespace {

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(kReasons); ++i) {
        if (static_cast<std::size_t>(kReasons[i].code) != i) return false;
    }
    return true;
}
static_assert(in_order(), "spec_of looks codes up by position");

}  // namespace

std::string_view name_of(RunStatus status) {
    constexpr std::string_view kNames[] = {"ok", "invalid", "partial", "timeout", "failed"};
    return kNames[static_cast<std::size_t>(status)];
}

RunStatus status_of(const std::vector<Reason>& reasons) {
    RunStatus worst = RunStatus::ok;
    for (const Reason& reason : reasons) worst = std::max(worst, spec_of(reason.code).status);
    return worst;
}

}  // namespace weir
