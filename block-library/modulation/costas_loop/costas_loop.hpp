#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "weir/item_for_item.hpp"
#include "weir/oscillator.hpp"
#include "weir/phase_lock.hpp"

namespace weir::blocks {

struct CostasLoop {
    enum class Modulation { kBpsk, kQpsk, kPsk8 };

    struct Params {
        Modulation modulation = Modulation::kQpsk;
        double bandwidth = 0.0628;
    };
    Params params;

    void start(const BlockContext&) {
        const LoopGains gains(params.bandwidth);
        to_phase_ = gains.to_phase * kWordsPerRad;
        to_frequency_ = gains.to_frequency * kWordsPerRad;
        phase_ = 0;
        frequency_ = 0;
    }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const auto make = [this](c64 x) {
            const c64 y = turned(x, phasor(0 - phase_));
            follow(error(y));
            return y;
        };
        return each_item_of(out, in, make);
    }

  private:
    static constexpr std::int64_t kFastest = static_cast<std::int64_t>(kWordsPerRad);

    /// Return how far an item is turned from the nearest symbol. The rounded item decides, and the error is rounded,
    /// too: the rounding of sines must not change the state.
    float error(c64 y) const noexcept {
        const double re = y.real(), im = y.imag();
        const double from_re = re > 0.0 ? im : -im, from_im = im > 0.0 ? re : -re;
        double e = 0.0;
        switch (params.modulation) {
            case Modulation::kBpsk: e = re * im; break;
            case Modulation::kQpsk: e = from_re - from_im; break;
            case Modulation::kPsk8: {
                constexpr double kRatio = std::numbers::sqrt2 - 1.0;
                e = std::fabs(re) >= std::fabs(im) ? from_re - from_im * kRatio : from_re * kRatio - from_im;
                break;
            }
        }
        return static_cast<float>(std::isfinite(e) ? std::clamp(e, -1.0, 1.0) : 0.0);
    }

    /// Move phase and frequency, which are integers: the rounding of sums would let programs drift apart.
    void follow(float e) noexcept {
        frequency_ += std::llround(to_frequency_ * static_cast<double>(e));
        phase_ += static_cast<std::uint64_t>(frequency_);
        phase_ += static_cast<std::uint64_t>(std::llround(to_phase_ * static_cast<double>(e)));
        frequency_ = std::clamp(frequency_, -kFastest, kFastest);
    }

    double to_phase_ = 0.0, to_frequency_ = 0.0;
    std::uint64_t phase_ = 0;
    std::int64_t frequency_ = 0;
};

}  // namespace weir::blocks
