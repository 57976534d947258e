#pragma once

#include <cstdint>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct CharToUchar {
    struct Params {};
    Params params;

    WorkResult work(In<std::int8_t>& in, Out<std::uint8_t>& out) noexcept {
        return each_item_of(out, in, [this](std::int8_t x) { return element(x); });
    }

    std::uint8_t element(std::int8_t x) const noexcept { return static_cast<std::uint8_t>(x); }
};

}  // namespace weir::blocks
