#pragma once

#include <cstddef>
#include <stdexcept>

#include "weir/item_for_item.hpp"
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
        const auto scale = [this](float* y, const T* x, std::size_t n) {
            volk_scale_to_float(y, x, n, params.scale, params.offset);
        };
        return item_for_item(scale, out, in);
    }

    float element(T x) const noexcept { return scaled_to_float(x, 1.0F / params.scale, params.offset); }
};

}  // namespace weir::blocks
