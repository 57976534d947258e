#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/item_for_item.hpp"
#include "weir/oscillator.hpp"

namespace weir::blocks {

struct FrequencyModulator {
    struct Params {
        double sample_rate = 48000.0;
        double deviation = 75000.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        cycles_ = params.deviation / params.sample_rate;
        phase_ = 0;
    }

    WorkResult work(In<float>& in, Out<c64>& out) noexcept {
        const auto make = [this](float x) {
            const double cycles = cycles_ * static_cast<double>(x);
            if (std::isfinite(cycles)) phase_ += phase_word(cycles);
            const std::complex<double> y = phasor(phase_);
            return c64(static_cast<float>(y.real()), static_cast<float>(y.imag()));
        };
        return each_item_of(out, in, make);
    }

  private:
    double cycles_ = 0.0;
    std::uint64_t phase_ = 0;
};

}  // namespace weir::blocks
