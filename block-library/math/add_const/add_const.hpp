#pragma once

#include <cstdint>
#include <type_traits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct AddConst {
    struct Params {
        T constant = T(0);
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        // A plain loop, which compilers vectorise, because VOLK 2.5's kernel hangs if VOLK_GENERIC is set.
        return each_item_of(out, in, [c = params.constant](T x) { return sum(x, c); });
    }

    T element(T x) const noexcept { return sum(x, params.constant); }

  private:
    static T sum(T x, T constant) noexcept {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(constant));
        else return x + constant;
    }
};

}  // namespace weir::blocks
