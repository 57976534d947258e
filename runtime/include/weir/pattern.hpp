// Pattern of a counter source, and of every source in a verification run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"

namespace weir {

// The periods are prime. Two chunks that change places then differ, unless their distance is a multiple of the period;
// usually it is a power of two. The values are small, so sums and products of a few are exact in f32.
//
//     u8            index mod 251
//     i8            index mod 251 - 125
//     i16 i32       index mod 65521 - 32760
//     f32 f64       index mod 1021
//     c64           index mod 1021 + j (index mod 509)
template <class T> struct CounterPattern {
    static constexpr bool kComplex = std::is_same_v<T, c64>;
    static constexpr std::uint64_t kPeriod = sizeof(T) == 1 ? 251 : std::is_integral_v<T> ? 65521 : 1021;
    static constexpr std::uint64_t kImaginaryPeriod = 509;
    static constexpr std::int32_t kOffset =
        std::is_signed_v<T> && std::is_integral_v<T> ? (sizeof(T) == 1 ? 125 : 32760) : 0;

    /// Return item `index` of the stream.
    static constexpr T item(std::uint64_t index) noexcept {
        return make(static_cast<std::int32_t>(index % kPeriod), static_cast<std::int32_t>(index % kImaginaryPeriod));
    }

    /// Write items `first` to `first + n`, without a division per item.
    static constexpr void fill(T* out, std::size_t n, std::uint64_t first) noexcept {
        auto re = static_cast<std::int32_t>(first % kPeriod);
        auto im = static_cast<std::int32_t>(first % kImaginaryPeriod);
        for (std::size_t i = 0; i < n; ++i) {
            out[i] = make(re, im);
            re = re + 1 == static_cast<std::int32_t>(kPeriod) ? 0 : re + 1;
            im = im + 1 == static_cast<std::int32_t>(kImaginaryPeriod) ? 0 : im + 1;
        }
    }

  private:
    static constexpr T make(std::int32_t re, [[maybe_unused]] std::int32_t im) noexcept {
        if constexpr (kComplex) {
            return {static_cast<float>(re), static_cast<float>(im)};
        } else {
            return static_cast<T>(re - kOffset);
        }
    }
};

}  // namespace weir
