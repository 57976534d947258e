#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/scaling.hpp"
#include "weir/volk_scaling.hpp"

namespace weir::blocks {

template <class T> struct IntegerToFloat {
    struct Params {
        float scale = 1.0F;
        float offset = 0.0F;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.scale == 0.0F) throw std::runtime_error("scale must not be 0");
    }

    WorkResult work(In<T>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_scale_to_float(out.data(), in.data(), n, params.scale, params.offset);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    float element(T x) const noexcept { return scaled_to_float(x, 1.0F / params.scale, params.offset); }
};

}  // namespace weir::blocks
