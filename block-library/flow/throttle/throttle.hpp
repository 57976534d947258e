#pragma once

#include <cstdint>

#include "weir/block.hpp"
#include "weir/pacing.hpp"

namespace weir::blocks {

template <class T> struct Throttle {
    struct Params {
        double rate = 1e6;
        std::int64_t burst_items = 1;
    };
    Params params;

    void start(const BlockContext& context) { due_.start(params.rate, params.burst_items, context); }
    void begin(std::int64_t barrier_ns) noexcept { due_.begin(barrier_ns); }

    WorkResult work(In<T>& in, Out<T>& out) noexcept { return pass_due(due_, in, out); }

  private:
    DueItems due_;
};

}  // namespace weir::blocks
