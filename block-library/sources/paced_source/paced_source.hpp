#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/pattern.hpp"

namespace weir::blocks {

template <class T> struct PacedSource {
    struct Params {
        double rate = 1e6;
        std::int64_t burst_items = 1;
        double latency_budget = 1e-3;  // read by the planner alone
    };
    Params params;

    void start(const BlockContext& context) {
        if (!(params.rate > 0.0)) throw std::runtime_error("rate must be positive");
        if (params.burst_items < 1) throw std::runtime_error("burst_items must be at least 1");
        burst_items_ = static_cast<std::uint64_t>(params.burst_items);
        burst_ns_ = static_cast<double>(params.burst_items) * 1e9 / params.rate;
        begin_ns_ = context.start_ns;
    }

    void begin(std::int64_t barrier_ns) noexcept { begin_ns_ = barrier_ns; }

    /// When item `index` is due, CLOCK_MONOTONIC. Late items keep their time: a run that falls behind shows it as latency.
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return begin_ns_ + offset_ns(index / burst_items_); }

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        // The clock is read only when the items known to be due do not fill the chunk.
        if (due_ - index_ < out.size()) due_ = std::max(due_, due_items(now_ns() - begin_ns_));
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(due_ - index_, out.size()));
        if (n == 0) return WorkResult::wait_until(scheduled_ns(index_));
        CounterPattern<T>::fill(out.data(), n, index_);
        index_ += n;
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    static std::int64_t now_ns() noexcept {  // libstdc++'s steady clock is CLOCK_MONOTONIC
        using std::chrono::nanoseconds;
        return std::chrono::duration_cast<nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }

    std::int64_t offset_ns(std::uint64_t burst) const noexcept {
        return static_cast<std::int64_t>(std::ceil(static_cast<double>(burst) * burst_ns_));
    }

    /// Items due by `elapsed_ns`. Agrees with `scheduled_ns` to the nanosecond, so that a waiter is never woken for nothing.
    std::uint64_t due_items(std::int64_t elapsed_ns) const noexcept {
        if (elapsed_ns < 0) return 0;
        auto last = static_cast<std::uint64_t>(static_cast<double>(elapsed_ns) / burst_ns_);
        while (offset_ns(last) > elapsed_ns) --last;
        while (offset_ns(last + 1) <= elapsed_ns) ++last;
        return (last + 1) * burst_items_;
    }

    std::int64_t begin_ns_ = 0;
    double burst_ns_ = 1e3;
    std::uint64_t burst_items_ = 1;
    std::uint64_t index_ = 0;
    std::uint64_t due_ = 0;
};

}  // namespace weir::blocks
