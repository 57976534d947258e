// The product of complex numbers as it is written on paper: that of the standard library looks after infinities besides.
#pragma once

#include <complex>

namespace weir {

inline std::complex<float> complex_product(std::complex<float> x, std::complex<float> y) noexcept {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

}  // namespace weir
