#pragma once

#include <cstdint>

#include "weir/block.hpp"
#include "weir/pacing.hpp"

namespace weir::blocks {

template <class T> struct Pace {
    struct Params {
        double rate = 1e6;
        std::int64_t burst_items = 1;
        double latency_budget = 1e-3;  // read by the planner only
    };
    Params params;

    void start(const BlockContext& context) { due_.start(params.rate, params.burst_items, context); }
    void begin(std::int64_t barrier_ns) noexcept { due_.begin(barrier_ns); }
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return due_.scheduled_ns(index); }

    WorkResult work(In<T>& in, Out<T>& out) noexcept { return pass_due(due_, in, out); }

  private:
    DueItems due_;
};

}  // namespace weir::blocks
