// Block of GNU Radio 4 for y = a x + b with one rounding, as the library's `saxpy` computes it. GNU Radio has none.
#pragma once

#include <gnuradio-4.0/Block.hpp>

#include <cmath>
#include <type_traits>

namespace weir::gnuradio4 {

template <class T> struct Saxpy : gr::Block<Saxpy<T>> {
    gr::PortIn<T> in;
    gr::PortOut<T> out;
    T a{}, b{};

    GR_MAKE_REFLECTABLE(Saxpy, in, out, a, b);

    // Takes one item, not a vector of them: with libc++, which has no SIMD types, the compiler makes better vector code of
    // a loop over items.
    [[nodiscard]] constexpr T processOne(T x) const noexcept {
        if constexpr (std::is_arithmetic_v<T>) {
            return std::fma(a, x, b);
        } else {
            const auto re = x.real(), im = x.imag();
            return {std::fma(a.real(), re, std::fma(-a.imag(), im, b.real())),
                    std::fma(a.real(), im, std::fma(a.imag(), re, b.imag()))};
        }
    }
};

}  // namespace weir::gnuradio4
