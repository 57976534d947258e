#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct Saxpy {
    struct Params {
        T a = T(0.75F);
        T b = T(0.5F);
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        const T* x = in.data();
        T* y = out.data();
        const T a = params.a, b = params.b;
        // Groups of a constant length become straight lines of vector code without a loop counter between them, whatever
        // unrolling the compiler was told: a plain loop loses up to a third in L1.
        std::size_t i = 0;
        for (; i + kGroup <= n; i += kGroup) {
#pragma GCC ivdep  // y is x, or does not overlap it
            for (std::size_t k = 0; k < kGroup; ++k) y[i + k] = element(a, x[i + k], b);
        }
        for (; i < n; ++i) y[i] = element(a, x[i], b);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    static constexpr std::size_t kGroup = 512 / sizeof(T);

    static T element(T a, T x, T b) noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            return {std::fma(a.real(), x.real(), std::fma(-a.imag(), x.imag(), b.real())),
                    std::fma(a.real(), x.imag(), std::fma(a.imag(), x.real(), b.imag()))};
        } else {
            return std::fma(a, x, b);
        }
    }
};

}  // namespace weir::blocks
