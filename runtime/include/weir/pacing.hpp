// Due times of items that arrive at a rate, in bursts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/clock.hpp"

namespace weir {

/// Schedule in which item n is due at begin_ns + ceil(floor(n / burst_items) burst_items 1e9 / rate) ns.
class Pacing {
  public:
    Pacing() = default;
    /// `rate` in items/s, positive; `burst_items` at least 1; `begin_ns` CLOCK_MONOTONIC.
    Pacing(double rate, std::uint64_t burst_items, std::int64_t begin_ns) noexcept
        : begin_ns_(begin_ns), burst_ns_(static_cast<double>(burst_items) * 1e9 / rate), burst_items_(burst_items) {}

    void begin(std::int64_t barrier_ns) noexcept { begin_ns_ = barrier_ns; }

    std::int64_t scheduled_ns(std::uint64_t index) const noexcept {
        return begin_ns_ + offset_ns(index / burst_items_);
    }

    /// Return the number of items due by `now_ns`. Consistent with `scheduled_ns` to the nanosecond, so no wake-up
    /// comes too early.
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
        constexpr double kNever = 4e18;  // 127 years; much larger values overflow
        return static_cast<std::int64_t>(std::min(std::ceil(static_cast<double>(burst) * burst_ns_), kNever));
    }

    std::int64_t begin_ns_ = 0;
    double burst_ns_ = 1e3;
    std::uint64_t burst_items_ = 1;
};

/// Pacing of a block that moves items when they are due and not earlier.
class DueItems {
  public:
    /// Throws std::runtime_error for an invalid rate or burst.
    void start(double rate, std::int64_t burst_items, const BlockContext& context) {
        if (!(rate > 0.0)) throw std::runtime_error("rate must be positive");
        if (burst_items < 1) throw std::runtime_error("burst_items must be at least 1");
        pacing_ = {rate, static_cast<std::uint64_t>(burst_items), context.start_ns};
        known_ = context.untimed ? std::numeric_limits<std::uint64_t>::max() : 0;
    }

    void begin(std::int64_t barrier_ns) noexcept { pacing_.begin(barrier_ns); }

    /// Return the due time of item `index`, CLOCK_MONOTONIC. A late item keeps its due time, so falling behind shows as
    /// latency.
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return pacing_.scheduled_ns(index); }

    /// Return how many of the next `most` items may move now. Reads the clock only if fewer than `most` are known to be
    /// due.
    std::size_t of(std::size_t most) noexcept {
        if (known_ - index_ < most) known_ = std::max(known_, pacing_.due_items(monotonic_ns()));
        return static_cast<std::size_t>(std::min<std::uint64_t>(known_ - index_, most));
    }

    /// Return the index of the next item.
    std::uint64_t index() const noexcept { return index_; }
    void moved(std::size_t items) noexcept { index_ += items; }

    /// Wait until the next item is due.
    WorkResult wait() const noexcept { return WorkResult::wait_until(scheduled_ns(index_)); }

  private:
    Pacing pacing_;
    std::uint64_t index_ = 0;
    std::uint64_t known_ = 0;  ///< number of items known to be due
};

/// Do the work of a block that passes due items on.
template <class T> WorkResult pass_due(DueItems& due, In<T>& in, Out<T>& out) noexcept {
    const std::size_t most = std::min(in.size(), out.size());
    if (most == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
    const std::size_t n = due.of(most);
    if (n == 0) return due.wait();
    std::copy_n(in.data(), n, out.data());
    due.moved(n);
    in.consume(n);
    out.produce(n);
    return WorkStatus::ok;
}

}  // namespace weir
