#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/block.hpp"
#include "weir/checks.hpp"
#include "weir/history.hpp"
#include "weir/volk_dot.hpp"

namespace weir::blocks {

template <class T> struct FirFilter {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t decimation = 1;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        decimation_ = at_least_1(params.decimation, "decimation");
        reversed_.assign(params.taps.rbegin(), params.taps.rend());
        history_.start(reversed_.size() - 1);
        dot(history_.zeros(), reversed_);  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / decimation_, out.size());
        if (firings == 0) return in.size() < decimation_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t used = firings * decimation_;

        history_.enter(in.data(), used);
        for (std::size_t m = 0; m < firings; ++m) out[m] = dot(history_.window(in.data(), m * decimation_), reversed_);
        history_.leave(in.data(), used);
        in.consume(used);
        out.produce(firings);
        return WorkStatus::ok;
    }

  private:
    Taps reversed_;
    History<T> history_;
    std::size_t decimation_ = 1;
};

}  // namespace weir::blocks
