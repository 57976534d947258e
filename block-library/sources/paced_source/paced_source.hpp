#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/pacing.hpp"
#include "weir/pattern.hpp"

namespace weir::blocks {

template <class T> struct PacedSource {
    struct Params {
        double rate = 1e6;
        std::int64_t burst_items = 1;
        double latency_budget = 1e-3;  // read by the planner only
    };
    Params params;

    void start(const BlockContext& context) { due_.start(params.rate, params.burst_items, context); }
    void begin(std::int64_t barrier_ns) noexcept { due_.begin(barrier_ns); }
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return due_.scheduled_ns(index); }

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        const std::size_t n = due_.of(out.size());
        if (n == 0) return due_.wait();
        CounterPattern<T>::fill(out.data(), n, due_.index());
        due_.moved(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    DueItems due_;
};

}  // namespace weir::blocks
