#include "weir/ring_limit.hpp"

#include <algorithm>
#include <utility>

namespace weir {

void RingLimit::measure(std::size_t capacity) noexcept {
    const auto now = std::chrono::steady_clock::now();
    const bool first = went_round_ == std::chrono::steady_clock::time_point{};
    const auto took = std::chrono::duration<double>(now - std::exchange(went_round_, now));
    if (first) return;
    const auto reach = kReach / took < kFast ? kReach : kFastReach;
    const double moves = static_cast<double>(capacity) * (std::chrono::duration<double>(reach) / took);
    const double limit = std::clamp(moves, static_cast<double>(least_), static_cast<double>(capacity));
    now_.store(static_cast<std::size_t>(limit), std::memory_order_relaxed);
}

}  // namespace weir
