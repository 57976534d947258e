#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Copy {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return item_for_item([](T* y, const T* x, std::size_t n) { std::copy_n(x, n, y); }, out, in);
    }

    T element(T x) const noexcept { return x; }
};

}  // namespace weir::blocks
