#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/clock.hpp"
#include "weir/pacing.hpp"

namespace weir::blocks {

template <class T> struct Throttle {
    struct Params {
        double rate = 1e6;
        std::int64_t burst_items = 1;
    };
    Params params;

    void start(const BlockContext& context) {
        if (!(params.rate > 0.0)) throw std::runtime_error("rate must be positive");
        if (params.burst_items < 1) throw std::runtime_error("burst_items must be at least 1");
        pacing_ = {params.rate, static_cast<std::uint64_t>(params.burst_items), context.start_ns};
        due_ = context.untimed ? std::numeric_limits<std::uint64_t>::max() : 0;
    }

    void begin(std::int64_t barrier_ns) noexcept { pacing_.begin(barrier_ns); }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t most = std::min(in.size(), out.size());
        if (most == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        // The clock is read only when the items known to be due are fewer than there are.
        if (due_ - index_ < most) due_ = std::max(due_, pacing_.due_items(monotonic_ns()));
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(due_ - index_, most));
        if (n == 0) return WorkResult::wait_until(pacing_.scheduled_ns(index_));
        std::copy_n(in.data(), n, out.data());
        index_ += n;
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    Pacing pacing_;
    std::uint64_t index_ = 0;
    std::uint64_t due_ = 0;
};

}  // namespace weir::blocks
