// Limit on the items in a ring: the number that moves through it in 100 us, but at least a given number. Ends at their
// own pace then do not wait for each other's short delays, and a slow chain still has a low latency.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace weir {

class RingLimit {
  public:
    std::size_t least() const noexcept { return least_; }
    /// Return the limit. Any thread.
    std::size_t now() const noexcept { return now_.load(std::memory_order_relaxed); }
    /// Set the limit until the throughput is known.
    void begin_with(std::size_t least) noexcept {
        least_ = least;
        now_.store(least, std::memory_order_relaxed);
    }
    /// Update the limit. The writer calls it once per pass through the buffer.
    void measure(std::size_t capacity) noexcept;

  private:
    /// Duration whose items the ring may hold. It bounds the latency of a source without pacing, and the wait behind a
    /// delayed worker.
    static constexpr std::chrono::nanoseconds kReach = std::chrono::microseconds(100);
    /// Longer duration, used if the items moved in it fill a large part of the capacity. Items that do not fit in the
    /// writer's L2 reach the reader from beyond it, several times as fast as from another core's L2.
    static constexpr double kFast = 1.0 / 8;
    static constexpr std::chrono::nanoseconds kFastReach = std::chrono::microseconds(250);

    std::size_t least_ = 0;
    std::atomic<std::size_t> now_{0};
    std::chrono::steady_clock::time_point went_round_{};
};

}  // namespace weir
