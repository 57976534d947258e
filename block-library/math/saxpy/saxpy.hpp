#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "weir/axpy.hpp"
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

    T element(T x) const noexcept { return value(params.a, x, params.b); }

  private:
    static void axpy(float a, const float* x, float b, float* y, std::size_t n) noexcept { weir::axpy(a, x, b, y, n); }

    static void axpy(c64 a, const c64* x, c64 b, c64* y, std::size_t n) noexcept {
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) y[i] = value(a, x[i], b);
    }

    static float value(float a, float x, float b) noexcept { return std::fma(a, x, b); }

    static c64 value(c64 a, c64 x, c64 b) noexcept {
        const float re = x.real(), im = x.imag();
        return {std::fma(a.real(), re, std::fma(-a.imag(), im, b.real())),
                std::fma(a.real(), im, std::fma(a.imag(), re, b.imag()))};
    }
};

}  // namespace weir::blocks
