#pragma once

#include <cstddef>

#include "weir/item_for_item.hpp"
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
        const auto scale = [this](T* y, const float* x, std::size_t n) {
            volk_scale_from_float(y, x, n, params.scale, params.offset);
        };
        return item_for_item(scale, out, in);
    }

    T element(float x) const noexcept { return scaled_from_float<T>(x, params.scale, params.offset); }
};

}  // namespace weir::blocks
