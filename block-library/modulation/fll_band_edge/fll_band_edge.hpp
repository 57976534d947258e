#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weir/checks.hpp"
#include "weir/item_for_item.hpp"
#include "weir/oscillator.hpp"
#include "weir/phase_lock.hpp"

namespace weir::blocks {

struct FllBandEdge {
    struct Params {
        double samples_per_symbol = 2.0;
        double rolloff = 0.35;
        std::int64_t filter_size = 44;
        double bandwidth = 0.0628;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.samples_per_symbol >= 1.0)) throw std::runtime_error("samples_per_symbol must be at least 1");
        if (!(params.rolloff >= 0.0 && params.rolloff <= 1.0)) throw std::runtime_error("rolloff must be from 0 to 1");
        const std::size_t size = at_least_1(params.filter_size, "filter_size");
        const LoopGains gains(params.bandwidth);
        constexpr double kUnit = kCycle / (2.0 * std::numbers::pi) / kErrors;
        to_phase_ = gains.to_phase * kUnit;
        to_frequency_ = gains.to_frequency * kUnit;
        fastest_ = std::llround(2.0 / params.samples_per_symbol * kCycle);
        make_taps(size);
        late_.assign(real_.size(), c64{});
        made_.assign(2 * real_.size(), c64{});
        next_ = 0;
        phase_ = 0;
        frequency_ = 0;
    }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const auto make = [this](c64 newest) {
            const c64 x = std::exchange(late_[next_], newest);
            const c64 y = turned(x, phasor(phase_));
            follow(error(y));
            return y;
        };
        return each_item_of(out, in, make);
    }

  private:
    /// Units of the frequency in a cycle, and of the error in 1. The error is rounded: the rounding of sums must not
    /// change the state.
    static constexpr double kCycle = 0x1p60, kErrors = 0x1p24;
    static constexpr double kLargest = 16.0;

    static double sinc(double x) noexcept {
        return x == 0.0 ? 1.0 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
    }

    /// Make the filter of the lower edge, oldest item first: a raised cosine of width rolloff, shifted there. The
    /// filter of the upper edge has the conjugate taps.
    void make_taps(std::size_t size) {
        const double middle = std::nearbyint(static_cast<double>(size) / params.samples_per_symbol);
        std::vector<double> taps(size);
        double sum = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            const double k = params.rolloff * (2.0 * static_cast<double>(i) / params.samples_per_symbol - middle);
            taps[i] = sinc(k - 0.5) + sinc(k + 0.5);
            sum += taps[i];
        }
        real_.resize(size);
        imag_.resize(size);
        const std::size_t before = (size - 1) / 2;  // taps before the middle one
        for (std::size_t i = 0; i < size; ++i) {
            const double from_middle = static_cast<double>(i) - static_cast<double>(before);
            const double angle = std::numbers::pi * (1.0 + params.rolloff) * from_middle / params.samples_per_symbol;
            real_[i] = taps[i] / sum * std::cos(angle);
            imag_[i] = taps[i] / sum * std::sin(angle);
        }
    }

    /// Add an item to the filters. Return the power at the lower edge less that at the upper edge, in units of the
    /// error.
    std::int64_t error(c64 y) noexcept {
        const std::size_t size = real_.size();
        made_[next_] = made_[next_ + size] = y;  // twice, so that a window never wraps
        next_ = next_ + 1 == size ? 0 : next_ + 1;
        const c64* window = made_.data() + next_;
        double real_re = 0.0, real_im = 0.0, imag_re = 0.0, imag_im = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            const double re = window[i].real(), im = window[i].imag();
            real_re += real_[i] * re;
            real_im += real_[i] * im;
            imag_re += imag_[i] * re;
            imag_im += imag_[i] * im;
        }
        const double e = 4.0 * (real_im * imag_re - real_re * imag_im);
        return std::isfinite(e) ? std::llround(std::clamp(e, -kLargest, kLargest) * kErrors) : 0;
    }

    void follow(std::int64_t e) noexcept {
        const auto error = static_cast<double>(e);
        frequency_ += std::llround(to_frequency_ * error);
        phase_ += static_cast<std::uint64_t>(frequency_ + std::llround(to_phase_ * error)) * 16U;  // kCycle -> 2^64
        frequency_ = std::clamp(frequency_, -fastest_, fastest_);
    }

    std::vector<double> real_, imag_;
    std::vector<c64> late_, made_;
    std::size_t next_ = 0;
    double to_phase_ = 0.0, to_frequency_ = 0.0;
    std::int64_t fastest_ = 0, frequency_ = 0;
    std::uint64_t phase_ = 0;
};

}  // namespace weir::blocks
