// Consecutive items that one of several replicas processes alone.
#pragma once

#include <atomic>
#include <cstdint>

#include "weir/atomic.hpp"
#include "weir/fenced.hpp"
#include "weir/worker_schedule.hpp"

namespace weir {

/// Stretch of consecutive periods. Some earlier periods are repeated before it, except at the beginning of the run, so
/// that the blocks recover their state from past items.
class Stretch {
  public:
    constexpr Stretch() = default;
    constexpr explicit Stretch(std::uint64_t number) noexcept : number_(number), is_one_(true) {}

    /// Return false if nothing is left.
    explicit operator bool() const noexcept { return is_one_; }
    std::uint64_t number() const noexcept { return number_; }
    /// Return how many of `periods` earlier periods exist and must be repeated.
    int again(int periods) const noexcept { return number_ == 0 ? 0 : periods; }

  private:
    std::uint64_t number_ = 0;
    bool is_one_ = false;
};

/// All stretches of a run. A worker takes the next one when it is ready, so a delayed worker gets fewer.
class Stretches {
  public:
    Stretch next(const ScheduledWorker& at) noexcept {
        return at.again() ? Stretch(next_.fetch_add(1, std::memory_order_relaxed)) : Stretch();
    }

  private:
    alignas(64) std::atomic<std::uint64_t> next_{0};
};

/// Turn to process items whose order matters. The worker with the next stretch has it.
class Turn {
  public:
    /// The load is seq_cst, like everything that a worker reads between `prepare` and `wait` (`wait.hpp`).
    bool is_of(const Stretch& stretch) const noexcept {
        return number_.load(std::memory_order_seq_cst) == stretch.number();
    }
    /// Pass the turn on. `wake(fenced)` wakes the workers that may sleep until their turn.
    template <class Wake> void pass(Wake wake) noexcept {
        pass();
        wake(fence_before_waking());
    }
    /// Pass the turn on if no worker sleeps.
    void pass() noexcept { number_.store(number_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  private:
    alignas(64) atomic<std::uint64_t> number_{0};
};

}  // namespace weir
