// Dot product of items and real taps, by VOLK.
#pragma once

#include <volk/volk_alloc.hh>

#include <complex>
#include <cstddef>
#include <type_traits>

#include "weir/volk.hpp"

namespace weir {

/// Real taps, last one first. Aligned, because even VOLK 2.5's unaligned AVX2 kernel for c64 loads taps aligned.
using Taps = volk::vector<float>;

/// Return the dot product of a window and the taps. It uses the unaligned kernel even for aligned items: the order of
/// additions must not depend on the address.
template <class T> T dot(const T* window, const Taps& taps) noexcept {
    T sum{};
    if constexpr (std::is_same_v<T, std::complex<float>> && calls_volk("volk_32fc_32f_dot_prod_32fc")) {
        volk_32fc_32f_dot_prod_32fc_u(&sum, window, taps.data(), static_cast<unsigned>(taps.size()));
    } else if constexpr (std::is_same_v<T, float> && calls_volk("volk_32f_x2_dot_prod_32f")) {
        volk_32f_x2_dot_prod_32f_u(&sum, window, taps.data(), static_cast<unsigned>(taps.size()));
    } else {
        for (std::size_t k = 0; k < taps.size(); ++k) sum += window[k] * taps[k];
    }
    return sum;
}

}  // namespace weir
