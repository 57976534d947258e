#pragma once

#include <cstdint>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct BinarySlicer {
    struct Params {};
    Params params;

    WorkResult work(In<float>& in, Out<std::uint8_t>& out) noexcept {
        return each_item_of(out, in, [this](float x) { return element(x); });
    }

    std::uint8_t element(float x) const noexcept { return x >= 0.0F ? 1 : 0; }
};

}  // namespace weir::blocks
