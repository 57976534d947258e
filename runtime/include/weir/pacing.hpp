// When items are due that come at a rate, in bursts.
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

/// What a block goes by that moves items when they are due, and no earlier.
class DueItems {
  public:
    /// std::runtime_error for a rate or a burst that cannot be.
    void start(double rate, std::int64_t burst_items, const BlockContext& context) {
        if (!(rate > 0.0)) throw std::runtime_error("rate must be positive");
        if (burst_items < 1) throw std::runtime_error("burst_items must be at least 1");
        pacing_ = {rate, static_cast<std::uint64_t>(burst_items), context.start_ns};
        known_ = context.untimed ? std::numeric_limits<std::uint64_t>::max() : 0;
    }

    void begin(std::int64_t barrier_ns) noexcept { pacing_.begin(barrier_ns); }

    /// When item `index` is due, CLOCK_MONOTONIC. Late items keep their time: falling behind shows as latency.
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return pacing_.scheduled_ns(index); }

    /// Of the next `most` items those that may move now. The clock is read only when those known to be due are fewer.
    std::size_t of(std::size_t most) noexcept {
        if (known_ - index_ < most) known_ = std::max(known_, pacing_.due_items(monotonic_ns()));
        return static_cast<std::size_t>(std::min<std::uint64_t>(known_ - index_, most));
    }

    /// Index of the next item.
    std::uint64_t index() const noexcept { return index_; }
    void moved(std::size_t items) noexcept { index_ += items; }

    /// Until the next item is due.
    WorkResult wait() const noexcept { return WorkResult::wait_until(scheduled_ns(index_)); }

  private:
    Pacing pacing_;
    std::uint64_t index_ = 0;
    std::uint64_t known_ = 0;  ///< to be due
};

/// The work of a block that passes on what is due.
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
