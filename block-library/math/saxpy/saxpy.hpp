#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

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
        axpy(params.a, in.data(), params.b, out.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    /// y is x, or does not overlap it: what `ivdep` promises.
    static void axpy(float a, const float* x, float b, float* y, std::size_t n) noexcept {
        // Groups of a constant length become straight lines of vector code without a loop counter between them, whatever
        // unrolling the compiler was told: a plain loop loses up to a third in L1.
        constexpr std::size_t kGroup = 128;
        std::size_t i = 0;
        for (; i + kGroup <= n; i += kGroup) {
#pragma GCC ivdep
            for (std::size_t k = 0; k < kGroup; ++k) y[i + k] = std::fma(a, x[i + k], b);
        }
        for (; i < n; ++i) y[i] = std::fma(a, x[i], b);
    }

    static void axpy(c64 a, const c64* x, c64 b, c64* y, std::size_t n) noexcept {
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) {
            const float re = x[i].real(), im = x[i].imag();
            y[i] = {std::fma(a.real(), re, std::fma(-a.imag(), im, b.real())),
                    std::fma(a.real(), im, std::fma(a.imag(), re, b.imag()))};
        }
    }
};

}  // namespace weir::blocks
