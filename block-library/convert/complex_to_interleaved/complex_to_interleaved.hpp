#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"
#include "weir/volk_scaling.hpp"

namespace weir::blocks {

template <class T> struct ComplexToInterleaved {
    struct Params {
        float scale = 1.0F;
        float offset = 0.0F;
    };
    Params params;

    WorkResult work(In<c64>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size() / 2);
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_scale_from_float(out.data(), reinterpret_cast<const float*>(in.data()), 2 * n, params.scale,
                              params.offset);
        in.consume(n);
        out.produce(2 * n);
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
