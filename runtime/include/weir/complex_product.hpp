// Product of complex numbers by the textbook formula. The standard library's product handles infinities and is slower.
#pragma once

#include <complex>

namespace weir {

inline std::complex<float> complex_product(std::complex<float> x, std::complex<float> y) noexcept {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

}  // namespace weir
