#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct Copy {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::copy_n(in.data(), n, out.data());
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    T element(T x) const noexcept { return x; }
};

}  // namespace weir::blocks
