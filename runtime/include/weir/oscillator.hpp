// Complex oscillator with an exact phase, which multiplies items.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "weir/block.hpp"
#include "weir/phase.hpp"

namespace weir {

/// Return exp(2 pi j word / 2^64), exact for quarter turns.
inline std::complex<double> phasor(std::uint64_t word) noexcept {
    const std::uint64_t from_quarter = word + (1ULL << 61);
    const auto rest = static_cast<std::int64_t>((from_quarter & ((1ULL << 62) - 1)) - (1ULL << 61));
    const double angle = static_cast<double>(rest) * (std::numbers::pi * 0x1p-63);
    const double c = std::cos(angle), s = std::sin(angle);
    switch (from_quarter >> 62) {
        case 0: return {c, s};
        case 1: return {-s, c};
        case 2: return {-c, -s};
        default: return {s, -c};
    }
}

/// Multiply in float64 and round once.
inline c64 turned(c64 item, std::complex<double> turn) noexcept {
    const double re = item.real(), im = item.imag();
    return {static_cast<float>(re * turn.real() - im * turn.imag()),
            static_cast<float>(re * turn.imag() + im * turn.real())};
}

class Oscillator {
  public:
    /// Begin at the phase `first`, and turn by `step` with each item.
    void start(std::uint64_t step, std::uint64_t first = 0) {
        step_ = step;
        first_ = first;
        for (std::size_t i = 0; i < kRun; ++i) {
            const std::complex<double> turn = phasor(i * step_);
            turn_re_[i] = turn.real();
            turn_im_[i] = turn.imag();
        }
        index_ = 0;
    }

    void seek(std::uint64_t index) noexcept { index_ = index; }

    /// Multiply the next items; `out` may be `in`.
    void turn(c64* out, const c64* in, std::size_t n) noexcept {
        for (std::size_t done = 0; done < n;) {
            const std::size_t within = index_ % kRun;
            const std::size_t run = std::min(n - done, kRun - within);
            turn_run(in + done, out + done, within, run);
            done += run;
            index_ += run;
        }
    }

  private:
    /// Number of items that share one computed phasor. Such runs begin at multiples of this number, because the bits
    /// must not depend on the chunks.
    static constexpr std::size_t kRun = 64;

    void turn_run(const c64* in, c64* out, std::size_t within, std::size_t n) const noexcept {
        const std::complex<double> base = phasor(first_ + (index_ - within) * step_);
        const double base_re = base.real(), base_im = base.imag();
        for (std::size_t i = 0; i < n; ++i) {
            const double re = base_re * turn_re_[within + i] - base_im * turn_im_[within + i];
            const double im = base_re * turn_im_[within + i] + base_im * turn_re_[within + i];
            const double x = in[i].real(), y = in[i].imag();
            out[i] = {static_cast<float>(x * re - y * im), static_cast<float>(x * im + y * re)};
        }
    }

    std::array<double, kRun> turn_re_{}, turn_im_{};
    std::uint64_t first_ = 0;
    std::uint64_t step_ = 0;
    std::uint64_t index_ = 0;
};

}  // namespace weir
