#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "weir/item_for_item.hpp"
#include "weir/phase.hpp"

namespace weir::blocks {

struct Rotator {
    struct Params {
        double sample_rate = 48000.0;
        double frequency = 0.0;
        double phase = 0.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        step_ = phase_step(params.frequency, params.sample_rate);
        first_ = phase_word(params.phase / (2.0 * std::numbers::pi));
        for (std::size_t i = 0; i < kRun; ++i) {
            const std::complex<double> turn = phasor(i * step_);
            turn_re_[i] = turn.real();
            turn_im_[i] = turn.imag();
        }
        index_ = 0;
    }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const auto make = [this](c64* y, const c64* x, std::size_t n) {
            for (std::size_t done = 0; done < n;) {
                const std::size_t within = index_ % kRun;
                const std::size_t run = std::min(n - done, kRun - within);
                turn(x + done, y + done, within, run);
                done += run;
                index_ += run;
            }
        };
        return item_for_item(make, out, in);
    }

    void seek(std::uint64_t index) noexcept { index_ = index; }

  private:
    /// Number of items that share one computed phasor. Such runs begin at multiples of this number, because the bits
    /// must not depend on the chunks.
    static constexpr std::size_t kRun = 64;

    /// Return exp(2 pi j word / 2^64), exact for quarter turns.
    static std::complex<double> phasor(std::uint64_t word) noexcept {
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

    void turn(const c64* in, c64* out, std::size_t within, std::size_t n) const noexcept {
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

}  // namespace weir::blocks
