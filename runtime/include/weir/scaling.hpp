// Conversions between integers and float32. Plain loops that compilers vectorise; the bits of an item do not depend on
// its place in a chunk.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace weir {

/// Compute (x - offset) factor in float32, where factor = 1 / scale.
template <class T> float scaled_to_float(T x, float factor, float offset) noexcept {
    return (static_cast<float>(x) - offset) * factor;
}

/// Compute y = (x - offset) / scale, as (x - offset) (1 / scale) in float32.
template <class T> void scale_to_float(float* y, const T* x, std::size_t n, float scale, float offset) noexcept {
    const float factor = 1.0F / scale;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = scaled_to_float(x[i], factor, offset);
}

/// Compute scale x + offset with one rounding to float32. For an integer T, round to the nearest, ties to even, and
/// limit to the range of T; NaN gives 0.
template <class T> T scaled_from_float(float x, float scale, float offset) noexcept {
    const float scaled = std::fma(scale, x, offset);
    if constexpr (std::is_floating_point_v<T>) {
        return scaled;
    } else {
        constexpr T kLowest = std::numeric_limits<T>::lowest(), kHighest = std::numeric_limits<T>::max();
        // The largest int32 is no float32, and converting a value of 2^31 or more is undefined.
        constexpr bool kWide = sizeof(T) == sizeof(std::int32_t);
        constexpr float kLow = static_cast<float>(kLowest);
        constexpr float kHigh = kWide ? 2147483520.0F : static_cast<float>(kHighest);
        float limited = scaled == scaled ? scaled : 0.0F;
        limited = limited > kLow ? limited : kLow;
        limited = limited < kHigh ? limited : kHigh;
        const auto rounded = static_cast<T>(static_cast<std::int32_t>(std::rint(limited)));
        return kWide && scaled > kHigh ? kHighest : rounded;
    }
}

/// Compute y = scale x + offset for each item with `scaled_from_float`.
template <class T> void scale_from_float(T* y, const float* x, std::size_t n, float scale, float offset) noexcept {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = scaled_from_float<T>(x[i], scale, offset);
}

}  // namespace weir
