#pragma once

#include <cstdint>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct BusyWork {
    struct Params {
        std::int64_t iterations = 100;
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return each_item_of(out, in, [this](T x) { return element(x); });
    }

    T element(T x) const noexcept {
        burn(params.iterations);
        return x;
    }

  private:
    /// Run a chain of dependent multiply-adds. The barrier in each step keeps the compiler from removing steps or
    /// merging them.
    static void burn(std::int64_t iterations) noexcept {
        std::uint64_t x = 1;
        for (std::int64_t i = 0; i < iterations; ++i) {
            x = x * 6364136223846793005ULL + 1442695040888963407ULL;
            asm volatile("" : "+r"(x));
        }
    }
};

}  // namespace weir::blocks
