#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct Divide {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept {
        return item_for_item([this](auto... chunk) { divide(chunk...); }, out, in0, in1);
    }

    T element(T x0, T x1) const noexcept { return quotient(x0, x1); }

  private:
    void divide(T* y, const T* x0, const T* x1, std::size_t n) const noexcept {
        if constexpr (kByVolk) volk_32f_x2_divide_32f(y, x0, x1, static_cast<unsigned>(n));
        else std::transform(x0, x0 + n, x1, y, [this](T a, T b) { return element(a, b); });
    }

    // Use VOLK on x86-64 only: its kernel for ARM multiplies by a reciprocal, which rounds twice.
#if defined(__x86_64__)
    static constexpr bool kByVolk = std::is_same_v<T, float> && calls_volk("volk_32f_x2_divide_32f");
#else
    static constexpr bool kByVolk = false;
#endif

    static float quotient(float x0, float x1) noexcept { return x0 / x1; }

    /// Divide in float64, in which no product of two float32 overflows or loses bits.
    static c64 quotient(c64 x0, c64 x1) noexcept {
        const double a = x0.real(), b = x0.imag(), c = x1.real(), d = x1.imag();
        const double size = c * c + d * d;
        return {static_cast<float>((a * c + b * d) / size), static_cast<float>((b * c - a * d) / size)};
    }
};

}  // namespace weir::blocks
