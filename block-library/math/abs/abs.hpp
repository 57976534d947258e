#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct Abs {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::transform(in.data(), in.data() + n, out.data(), [this](T x) { return element(x); });
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    T element(T x) const noexcept {
        if constexpr (std::is_floating_point_v<T>) return std::abs(x);
        else return static_cast<T>(x < 0 ? 0U - static_cast<std::uint32_t>(x) : static_cast<std::uint32_t>(x));
    }
};

}  // namespace weir::blocks
