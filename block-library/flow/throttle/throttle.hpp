#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/pacing.hpp"

namespace weir::blocks {

template <class T> struct Throttle {
    struct Params {
        double rate = 1e6;
        std::int64_t burst_items = 0;
        double latency_budget = 2e-2;
    };
    Params params;

    void start(const BlockContext& context) {
        // Store the computed burst in the parameter, because `Hosted::burst_ns` reads it there.
        if (params.burst_items == 0) params.burst_items = burst_within_budget();
        due_.start(params.rate, params.burst_items, context);
    }
    void begin(std::int64_t barrier_ns) noexcept { due_.begin(barrier_ns); }

    WorkResult work(In<T>& in, Out<T>& out) noexcept { return pass_due(due_, in, out); }

  private:
    std::int64_t burst_within_budget() const noexcept {
        constexpr double kMost = 1 << 30;  // largest value of burst_items
        return static_cast<std::int64_t>(std::min(kMost, std::max(1.0, params.rate * params.latency_budget)));
    }

    DueItems due_;
};

}  // namespace weir::blocks
