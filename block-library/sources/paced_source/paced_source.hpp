#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/clock.hpp"
#include "weir/pacing.hpp"
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
        pacing_ = {params.rate, static_cast<std::uint64_t>(params.burst_items), context.start_ns};
    }

    void begin(std::int64_t barrier_ns) noexcept { pacing_.begin(barrier_ns); }

    /// When item `index` is due, CLOCK_MONOTONIC. Late items keep their time: falling behind shows as latency.
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return pacing_.scheduled_ns(index); }

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        // The clock is read only when the items known to be due do not fill the chunk.
        if (due_ - index_ < out.size()) due_ = std::max(due_, pacing_.due_items(monotonic_ns()));
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(due_ - index_, out.size()));
        if (n == 0) return WorkResult::wait_until(scheduled_ns(index_));
        CounterPattern<T>::fill(out.data(), n, index_);
        index_ += n;
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    Pacing pacing_;
    std::uint64_t index_ = 0;
    std::uint64_t due_ = 0;
};

}  // namespace weir::blocks
