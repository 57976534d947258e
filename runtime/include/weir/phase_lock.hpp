// Second-order phase-locked loop with an exact state.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/oscillator.hpp"

namespace weir {

/// Units of 2^-64 cycles in a radian.
inline constexpr double kWordsPerRad = 0x1p63 / std::numbers::pi;

/// Gains of a second-order loop with a damping of sqrt(2) / 2, for an error and a frequency in rad an item.
struct LoopGains {
    explicit LoopGains(double bandwidth) {
        if (!(bandwidth >= 0.0 && bandwidth <= 2.0)) throw std::runtime_error("bandwidth must be from 0 to 2");
        const double damping = std::numbers::sqrt2 / 2.0;
        const double gain = 4.0 / (1.0 + 2.0 * damping * bandwidth + bandwidth * bandwidth);
        to_phase = gain * damping * bandwidth;
        to_frequency = gain * bandwidth * bandwidth;
    }

    double to_phase = 0.0, to_frequency = 0.0;
};

/// Phase and frequency are integers in units of 2^-64 cycles: the rounding of sums would let programs drift apart.
class PhaseLock {
  public:
    void start(double bandwidth, double lowest, double highest) {
        if (!(lowest <= highest)) throw std::runtime_error("min_frequency must not be above max_frequency");
        if (!(lowest > -std::numbers::pi && highest < std::numbers::pi))
            throw std::runtime_error("min_frequency and max_frequency must be between -pi and pi");
        if (bandwidth >= 1.0) throw std::runtime_error("bandwidth must be below 1");
        gains_ = LoopGains(bandwidth);
        lowest_ = std::llround(lowest * kWordsPerRad);
        highest_ = std::llround(highest * kWordsPerRad);
        phase_ = 0;
        frequency_ = 0;
    }

    /// Return exp(j phase).
    std::complex<double> turn() const noexcept { return phasor(phase_); }

    /// Return the frequency in rad an item.
    double frequency() const noexcept { return static_cast<double>(frequency_) / kWordsPerRad; }

    /// Move phase and frequency towards an item.
    void follow(c64 item) noexcept {
        // The rounded angle counts: the rounding of arc tangents must not change the state.
        const double re = item.real(), im = item.imag();
        const auto angle = static_cast<double>(static_cast<float>(std::atan2(im, re)));
        double error = 0.0;
        if (!std::isnan(angle)) {
            const std::uint64_t word = static_cast<std::uint64_t>(std::llround(angle * (kWordsPerRad / 2.0))) * 2U;
            error = static_cast<double>(static_cast<std::int64_t>(word - phase_));
        }
        const std::int64_t step = std::llround(gains_.to_frequency * error);
        phase_ += static_cast<std::uint64_t>(frequency_) + static_cast<std::uint64_t>(step) +
                  static_cast<std::uint64_t>(std::llround(gains_.to_phase * error));
        if (__builtin_add_overflow(frequency_, step, &frequency_)) frequency_ = step > 0 ? highest_ : lowest_;
        frequency_ = std::clamp(frequency_, lowest_, highest_);
    }

  private:
    LoopGains gains_{0.0};
    std::int64_t lowest_ = 0, highest_ = 0, frequency_ = 0;
    std::uint64_t phase_ = 0;
};

}  // namespace weir
