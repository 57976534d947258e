#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"
#include "weir/scaling.hpp"
#include "weir/volk_scaling.hpp"

namespace weir::blocks {

template <class T> struct FloatToInteger {
    struct Params {
        float scale = 1.0F;
        float offset = 0.0F;
    };
    Params params;

    WorkResult work(In<float>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_scale_from_float(out.data(), in.data(), n, params.scale, params.offset);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    T element(float x) const noexcept { return scaled_from_float<T>(x, params.scale, params.offset); }
};

}  // namespace weir::blocks
