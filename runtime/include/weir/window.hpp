// Measured part of a run, for throughput and latency alike.
#pragma once

#include <cstdint>

namespace weir {

/// Window from the end of the last sink's warm-up to the end of the first sink, CLOCK_MONOTONIC.
struct Window {
    std::int64_t begin_ns = 0, end_ns = 0;

    /// Return whether the window contains a time. The event that ends the warm-up is stamped before the window begins,
    /// and the event that ends the run before the window ends.
    constexpr bool has(std::int64_t time_ns) const noexcept { return begin_ns < time_ns && time_ns <= end_ns; }
    constexpr std::int64_t duration_ns() const noexcept { return end_ns - begin_ns; }
};

}  // namespace weir
