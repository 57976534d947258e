#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct BusyWork {
    struct Params {
        std::int64_t iterations = 100;
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t i = 0; i < n; ++i) {
            burn(params.iterations);
            out[i] = in[i];
        }
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    /// The barrier in each step keeps the compiler from removing the chain, and from taking several steps at once.
    static void burn(std::int64_t iterations) noexcept {
        std::uint64_t x = 1;
        for (std::int64_t i = 0; i < iterations; ++i) {
            x = x * 6364136223846793005ULL + 1442695040888963407ULL;
            asm volatile("" : "+r"(x));
        }
    }
};

}  // namespace weir::blocks
