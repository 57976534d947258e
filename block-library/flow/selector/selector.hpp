#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Selector {
    struct Params {
        std::int64_t index = 0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.index < 0 || params.index > 1) throw std::runtime_error("index must be 0 or 1");
    }

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept {
        const auto pass = [this](T* y, const T* a, const T* b, std::size_t n) {
            std::copy_n(params.index == 0 ? a : b, n, y);
        };
        return item_for_item(pass, out, in0, in1);
    }

    T element(T a, T b) const noexcept { return params.index == 0 ? a : b; }
};

}  // namespace weir::blocks
