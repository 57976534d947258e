// The part of a run that counts, for throughput and latency alike.
#pragma once

#include <cstdint>

namespace weir {

/// From the last sink past its warm-up to the first sink done, CLOCK_MONOTONIC.
struct Window {
    std::int64_t begin_ns = 0, end_ns = 0;

    /// What ends the warm-up is stamped before the window begins, and what ends the run before it ends.
    constexpr bool has(std::int64_t time_ns) const noexcept { return begin_ns < time_ns && time_ns <= end_ns; }
    constexpr std::int64_t duration_ns() const noexcept { return end_ns - begin_ns; }
};

}  // namespace weir
