#pragma once

#include <cmath>
#include <limits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct Log10 {
    struct Params {
        float n = 1.0F;
        float k = 0.0F;
        float floor = std::numeric_limits<float>::lowest();
    };
    Params params;

    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        return each_item_of(out, in, [this](float x) { return element(x); });
    }

    float element(float x) const noexcept {
        return std::fma(params.n, std::log10(x < params.floor ? params.floor : x), params.k);
    }
};

}  // namespace weir::blocks
