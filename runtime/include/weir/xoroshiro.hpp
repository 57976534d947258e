// Random numbers of GNU Radio 3.10.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "weir/digest.hpp"

namespace weir {

/// xoroshiro128+ of Blackman and Vigna (2016), with the shifts 55, 14 and 36.
class Xoroshiro {
  public:
    /// Begin 2^64 steps after the state that splitmix64 makes of the seed.
    void seed(std::uint64_t seed) noexcept {
        a_ = seed + 0x9E3779B97F4A7C15ULL;
        b_ = splitmix64(seed);
        std::uint64_t a = 0, b = 0;
        for (const std::uint64_t jump : {0xBEAC0467EBA5FACBULL, 0xD86B048B86AA9922ULL}) {
            for (int bit = 0; bit < 64; ++bit) {
                if ((jump >> bit & 1U) != 0) {
                    a ^= a_;
                    b ^= b_;
                }
                next();
            }
        }
        a_ = a;
        b_ = b;
    }

    std::uint64_t next() noexcept {
        const std::uint64_t sum = a_ + b_, both = a_ ^ b_;
        a_ = std::rotl(a_, 55) ^ both ^ (both << 14);
        b_ = std::rotl(both, 36);
        return sum;
    }

    /// Return a number in [0, 1), rounded to float.
    double unit() noexcept {
        const double rounded = static_cast<double>(static_cast<float>(next())) * 0x1p-64;
        return std::min(rounded, 1.0 - 0x1p-24);
    }

    /// Return an integer in [0, span), for a span of at most 2^32, by Lemire's method (2019).
    std::uint64_t below(std::uint64_t span) noexcept {
        const std::uint64_t least = (0 - span) % span;
        std::uint64_t word = next();
        while (word * span < least) word = next();
        return ((word >> 32) * span + ((word & 0xFFFFFFFFU) * span >> 32)) >> 32;
    }

  private:
    std::uint64_t a_ = 0, b_ = 0;
};

}  // namespace weir
