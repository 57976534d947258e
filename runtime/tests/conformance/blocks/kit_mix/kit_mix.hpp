#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct KitMix {
    struct Params {};
    Params params;

    WorkResult work(In<T>& a, In<T>& b, Out<T>& out) noexcept {
        const std::size_t n = std::min({a.size(), b.size(), out.size()});
        if (n == 0) return std::min(a.size(), b.size()) == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t k = 0; k < n; ++k) out[k] = element(a[k], b[k]);
        a.consume(n);
        b.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    T element(T a, T b) const noexcept {
        return static_cast<T>(3 * static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
};

}  // namespace weir::blocks
