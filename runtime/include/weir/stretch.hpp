// What one of several workers has to itself for a while, where all of them do the same: items that follow each other.
#pragma once

#include <atomic>
#include <cstdint>

#include "weir/atomic.hpp"
#include "weir/fenced.hpp"
#include "weir/section.hpp"

namespace weir {

/// So many periods that follow each other. Before them those are done again in which the blocks get to know what they remember of
/// earlier items: not at the beginning of the run, where there are none.
class Stretch {
  public:
    constexpr Stretch() = default;
    constexpr explicit Stretch(std::uint64_t number) noexcept : number_(number), is_one_(true) {}

    /// False: there is nothing more to do.
    explicit operator bool() const noexcept { return is_one_; }
    std::uint64_t number() const noexcept { return number_; }
    /// Of so many periods of the one before that are to be done again, those that there are.
    int again(int periods) const noexcept { return number_ == 0 ? 0 : periods; }

  private:
    std::uint64_t number_ = 0;
    bool is_one_ = false;
};

/// All of a run's. Who comes first gets the next one: so a worker that was held up has fewer.
class Stretches {
  public:
    Stretch next(const Section& at) noexcept {
        return at.again() ? Stretch(next_.fetch_add(1, std::memory_order_relaxed)) : Stretch();
    }

  private:
    alignas(64) std::atomic<std::uint64_t> next_{0};
};

/// Who may work on items whose order counts: the one who has the stretch that comes next.
class Turn {
  public:
    /// seq_cst, as everything that a worker looks at between `prepare` and `wait` (`wait.hpp`).
    bool is_of(const Stretch& stretch) const noexcept {
        return number_.load(std::memory_order_seq_cst) == stretch.number();
    }
    /// `wake(fenced)` wakes whoever may sleep until its own comes.
    template <class Wake> void pass(Wake wake) noexcept {
        pass();
        wake(fence_before_waking());
    }
    /// Where nobody sleeps.
    void pass() noexcept { number_.store(number_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  private:
    alignas(64) atomic<std::uint64_t> number_{0};
};

}  // namespace weir
