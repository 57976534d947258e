#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct KitDeal {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in, Out<T>& a, Out<T>& b) noexcept {
        const std::size_t firings = std::min({in.size() / 2, a.size(), b.size()});
        if (firings == 0) return in.size() < 2 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t k = 0; k < firings; ++k) {
            a[k] = in[2 * k];
            b[k] = in[2 * k + 1];
        }
        in.consume(2 * firings);
        a.produce(firings);
        b.produce(firings);
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
