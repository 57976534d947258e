#pragma once

#include <cmath>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct ComplexToPhase {
    struct Params {};
    Params params;

    WorkResult work(In<c64>& in, Out<float>& out) noexcept {
        return each_item_of(out, in, [this](c64 z) { return element(z); });
    }

    float element(c64 z) const noexcept { return std::atan2(z.imag(), z.real()); }
};

}  // namespace weir::blocks
