#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Abs {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return each_item_of(out, in, [this](T x) { return element(x); });
    }

    T element(T x) const noexcept {
        if constexpr (std::is_floating_point_v<T>) return std::abs(x);
        else return static_cast<T>(x < 0 ? 0U - static_cast<std::uint32_t>(x) : static_cast<std::uint32_t>(x));
    }
};

}  // namespace weir::blocks
