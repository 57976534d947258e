#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Mute {
    struct Params {
        bool mute = false;
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const auto pass = [this](T* y, const T* x, std::size_t n) {
            if (params.mute) std::fill_n(y, n, T{});
            else if (y != x) std::copy_n(x, n, y);  // in place, there is nothing to do
        };
        return item_for_item(pass, out, in);
    }

    T element(T x) const noexcept { return params.mute ? T{} : x; }
};

}  // namespace weir::blocks
