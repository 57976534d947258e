#pragma once

#include <cmath>
#include <cstddef>

#include "weir/axpy.hpp"
#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Saxpy {
    struct Params {
        T a = T(0.75F);
        T b = T(0.5F);
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return item_for_item([this](T* y, const T* x, std::size_t n) { axpy(params.a, x, params.b, y, n); }, out, in);
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
