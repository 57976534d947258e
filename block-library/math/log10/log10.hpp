#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "weir/block.hpp"

namespace weir::blocks {

struct Log10 {
    struct Params {
        float n = 1.0F;
        float k = 0.0F;
        float floor = std::numeric_limits<float>::lowest();
    };
    Params params;

    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::transform(in.data(), in.data() + n, out.data(), [this](float x) { return element(x); });
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    float element(float x) const noexcept {
        return std::fma(params.n, std::log10(x < params.floor ? params.floor : x), params.k);
    }
};

}  // namespace weir::blocks
