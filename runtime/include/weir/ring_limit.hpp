// How much may lie in a ring: no more than moves through it in 100 us, and at least a number of items that it is given. So ends that
// may drift apart do not wait for each other's hiccups, and a slow chain is as soon at its end as with a small ring.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace weir {

class RingLimit {
  public:
    std::size_t least() const noexcept { return least_; }
    /// Any thread.
    std::size_t now() const noexcept { return now_.load(std::memory_order_relaxed); }
    /// Until it is known how much moves.
    void begin_with(std::size_t least) noexcept {
        least_ = least;
        now_.store(least, std::memory_order_relaxed);
    }
    /// By the writer, once each time that it has gone round.
    void measure(std::size_t capacity) noexcept;

  private:
    /// Who waits for a worker that was held up waits for no longer than this, and items flat out do not either.
    static constexpr std::chrono::nanoseconds kReach = std::chrono::microseconds(100);
    /// Where so large a part of the capacity moves through in that time, it is this time instead. What lies there is more than the
    /// L2 of who writes has, and comes to the reader from beyond it: several times as fast as out of another core's L2.
    static constexpr double kFast = 1.0 / 8;
    static constexpr std::chrono::nanoseconds kFastReach = std::chrono::microseconds(250);

    std::size_t least_ = 0;
    std::atomic<std::size_t> now_{0};
    std::chrono::steady_clock::time_point went_round_{};
};

}  // namespace weir
