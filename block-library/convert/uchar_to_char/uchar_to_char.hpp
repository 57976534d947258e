#pragma once

#include <cstdint>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct UcharToChar {
    struct Params {};
    Params params;

    WorkResult work(In<std::uint8_t>& in, Out<std::int8_t>& out) noexcept {
        return each_item_of(out, in, [this](std::uint8_t x) { return element(x); });
    }

    std::int8_t element(std::uint8_t x) const noexcept { return static_cast<std::int8_t>(x); }
};

}  // namespace weir::blocks
