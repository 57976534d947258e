// Conversions between integers and float32. They use VOLK if its kernels give the same bits as `scaling.hpp`, and
// `scaling.hpp` otherwise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/scaling.hpp"
#include "weir/volk.hpp"

namespace weir {
namespace detail {

/// Return whether a division by `scale` equals a multiplication by 1 / scale, bit for bit.
inline bool has_exact_inverse(float scale) noexcept {
    int exponent = 0;
    return std::abs(std::frexp(scale, &exponent)) == 0.5F && std::isfinite(1.0F / scale);
}

/// Return whether every item fits in an int32 and none is NaN. For other items, VOLK's result depends on the machine.
inline bool fits_int32(const float* x, std::size_t n, float scale) noexcept {
    unsigned beyond = 0;
    for (std::size_t i = 0; i < n; ++i) beyond |= std::abs(x[i] * scale) < 2147483648.0F ? 0U : 1U;
    return beyond == 0;
}

}  // namespace detail

/// Convert like `scale_to_float`. VOLK multiplies an int16 within its whole vectors, but divides the ones after them.
template <class T> void volk_scale_to_float(float* y, const T* x, std::size_t n, float scale, float offset) noexcept {
    const auto items = static_cast<unsigned>(n);
    if constexpr (std::is_same_v<T, std::int8_t> && calls_volk("volk_8i_s32f_convert_32f")) {
        if (offset == 0.0F) return volk_8i_s32f_convert_32f(y, x, scale, items);
    } else if constexpr (std::is_same_v<T, std::int16_t> && calls_volk("volk_16i_s32f_convert_32f")) {
        if (offset == 0.0F && detail::has_exact_inverse(scale)) return volk_16i_s32f_convert_32f(y, x, scale, items);
    } else if constexpr (std::is_same_v<T, std::int32_t> && calls_volk("volk_32i_s32f_convert_32f")) {
        if (offset == 0.0F) return volk_32i_s32f_convert_32f(y, x, scale, items);
    }
    scale_to_float(y, x, n, scale, offset);
}

/// Convert like `scale_from_float`. Spans are short enough to stay in L1 between the check and the conversion.
template <class T> void volk_scale_from_float(T* y, const float* x, std::size_t n, float scale, float offset) noexcept {
    constexpr std::size_t kSpan = 2048;
    constexpr bool kByVolk = (std::is_same_v<T, std::int8_t> && calls_volk("volk_32f_s32f_convert_8i")) ||
                             (std::is_same_v<T, std::int16_t> && calls_volk("volk_32f_s32f_convert_16i")) ||
                             (std::is_same_v<T, std::int32_t> && calls_volk("volk_32f_s32f_convert_32i"));
    if constexpr (kByVolk) {
        for (std::size_t at = 0; offset == 0.0F && at < n; at += kSpan) {
            const std::size_t length = std::min(kSpan, n - at);
            const auto items = static_cast<unsigned>(length);
            if (!detail::fits_int32(x + at, length, scale)) scale_from_float(y + at, x + at, length, scale, offset);
            else if constexpr (sizeof(T) == 1) volk_32f_s32f_convert_8i(y + at, x + at, scale, items);
            else if constexpr (sizeof(T) == 2) volk_32f_s32f_convert_16i(y + at, x + at, scale, items);
            else volk_32f_s32f_convert_32i(y + at, x + at, scale, items);
        }
        if (offset == 0.0F) return;
    }
    scale_from_float(y, x, n, scale, offset);
}

}  // namespace weir
