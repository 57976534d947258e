// Block of GNU Radio 4 for y = a x + b with one rounding, as the library's `saxpy` computes it. GNU Radio has none.
#pragma once

#include <gnuradio-4.0/Block.hpp>

#include <array>
#include <cmath>
#include <type_traits>

namespace weir::gnuradio4 {

template <class T> struct Saxpy : gr::Block<Saxpy<T>> {
    gr::PortIn<T> in;
    gr::PortOut<T> out;
    T a{}, b{};

    GR_MAKE_REFLECTABLE(Saxpy, in, out, a, b);

    template <gr::meta::t_or_simd<T> V> [[nodiscard]] constexpr V processOne(const V& x) const noexcept {
        if constexpr (gr::meta::any_simd<V>) {  // a loop over the items becomes vector code, `vir::stdx::fma` does not
            std::array<T, V::size()> items;
            x.copy_to(items.data(), vir::stdx::element_aligned);
            for (T& item : items) item = std::fma(a, item, b);
            return V(items.data(), vir::stdx::element_aligned);
        } else if constexpr (std::is_arithmetic_v<T>) {
            return std::fma(a, x, b);
        } else {
            const auto re = x.real(), im = x.imag();
            return {std::fma(a.real(), re, std::fma(-a.imag(), im, b.real())),
                    std::fma(a.real(), im, std::fma(a.imag(), re, b.imag()))};
        }
    }
};

}  // namespace weir::gnuradio4
