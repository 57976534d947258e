#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct KitRatio {
    struct Params {
        std::int64_t n = 1;
        std::int64_t m = 1;
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const auto n = static_cast<std::size_t>(params.n), m = static_cast<std::size_t>(params.m);
        const std::size_t firings = std::min(in.size() / n, out.size() / m);
        if (firings == 0) return in.size() < n ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t k = 0; k < firings; ++k) {
            for (std::size_t j = 0; j < m; ++j) {
                out[k * m + j] = static_cast<T>(static_cast<std::uint64_t>(in[k * n + j * n / m]) + j);
            }
        }
        in.consume(firings * n);
        out.produce(firings * m);
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
