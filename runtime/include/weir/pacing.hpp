// When items are due that come at a rate, in bursts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace weir {

/// Item n is due at the beginning + ceil(floor(n / burst_items) burst_items 1e9 / rate) ns.
class Pacing {
  public:
    Pacing() = default;
    /// `rate` in items a second, positive; `burst_items` at least 1; `begin_ns` CLOCK_MONOTONIC.
    Pacing(double rate, std::uint64_t burst_items, std::int64_t begin_ns) noexcept
        : begin_ns_(begin_ns), burst_ns_(static_cast<double>(burst_items) * 1e9 / rate), burst_items_(burst_items) {}

    void begin(std::int64_t barrier_ns) noexcept { begin_ns_ = barrier_ns; }

    std::int64_t scheduled_ns(std::uint64_t index) const noexcept {
        return begin_ns_ + offset_ns(index / burst_items_);
    }

    /// Items due by `now_ns`. Agrees with `scheduled_ns` to the nanosecond: a waiter is never woken for nothing.
    std::uint64_t due_items(std::int64_t now_ns) const noexcept {
        const std::int64_t elapsed_ns = now_ns - begin_ns_;
        if (elapsed_ns < 0) return 0;
        auto last = static_cast<std::uint64_t>(static_cast<double>(elapsed_ns) / burst_ns_);
        while (offset_ns(last) > elapsed_ns) --last;
        while (offset_ns(last + 1) <= elapsed_ns) ++last;
        return (last + 1) * burst_items_;
    }

  private:
    std::int64_t offset_ns(std::uint64_t burst) const noexcept {
        constexpr double kNever = 4e18;  // 127 years; what is far beyond it does not fit
        return static_cast<std::int64_t>(std::min(std::ceil(static_cast<double>(burst) * burst_ns_), kNever));
    }

    std::int64_t begin_ns_ = 0;
    double burst_ns_ = 1e3;
    std::uint64_t burst_items_ = 1;
};

}  // namespace weir
