// Phases as integers in units of 2^-64 cycles: whole cycles overflow, and index * step is exact for any index.
#pragma once

#include <cmath>
#include <cstdint>

namespace weir {

inline std::uint64_t phase_word(double cycles) noexcept {
    const double size = std::fabs(cycles);
    const auto word = static_cast<std::uint64_t>(std::ldexp(size - std::floor(size), 64));
    return cycles < 0.0 ? 0 - word : word;
}

/// Return the phase step per item, to 2^-64 cycles.
inline std::uint64_t phase_step(double frequency, double sample_rate) noexcept {
    // The rounding error of the quotient alone would be a tenth of a microcycle after 1e9 items.
    const double cycles = frequency / sample_rate;
    const double rest = std::fma(-cycles, sample_rate, frequency) / sample_rate;
    return phase_word(cycles) + phase_word(rest);
}

}  // namespace weir
