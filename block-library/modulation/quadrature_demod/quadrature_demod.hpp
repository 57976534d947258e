#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct QuadratureDemod {
    struct Params {
        double sample_rate = 48000.0;
        double deviation = 75000.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        if (!(params.deviation > 0.0)) throw std::runtime_error("deviation must be positive");
        gain_ = static_cast<float>(params.sample_rate / (2.0 * std::numbers::pi * params.deviation));
        before_ = {};
    }

    WorkResult work(In<c64>& in, Out<float>& out) noexcept {
        const auto make = [this](float* y, const c64* x, std::size_t n) {
            y[0] = turned(before_, x[0]);
            for (std::size_t i = 1; i < n; ++i) y[i] = turned(x[i - 1], x[i]);
            before_ = x[n - 1];
        };
        return item_for_item(make, out, in);
    }

  private:
    float turned(c64 from, c64 to) const noexcept {
        const float re = to.real() * from.real() + to.imag() * from.imag();
        const float im = to.imag() * from.real() - to.real() * from.imag();
        return gain_ * angle(re, im);
    }

    /// Return atan2(im, re), and 0 for 0. A minimax polynomial of atan on [0, 1], with an error of 6e-9, lets the loop
    /// vectorise.
    static float angle(float re, float im) noexcept {
        const float a = std::fabs(re), b = std::fabs(im);
        const float larger = std::max(a, b);
        const float t = std::min(a, b) / (larger > 0.0F ? larger : 1.0F);
        const float t2 = t * t;
        float p = 0.002456705813672704F;
        p = std::fma(p, t2, -0.01440128017658874F);
        p = std::fma(p, t2, 0.03978109119067966F);
        p = std::fma(p, t2, -0.07234845427375824F);
        p = std::fma(p, t2, 0.10498939954650692F);
        p = std::fma(p, t2, -0.14161227416661434F);
        p = std::fma(p, t2, 0.1998590649328362F);
        p = std::fma(p, t2, -0.33332597009334514F);
        p = std::fma(p, t2, 0.9999998863792239F);
        float theta = p * t;
        constexpr float kPi = std::numbers::pi_v<float>;
        theta = b > a ? kPi / 2.0F - theta : theta;
        theta = re < 0.0F ? kPi - theta : theta;
        return im < 0.0F ? -theta : theta;
    }

    float gain_ = 1.0F;
    c64 before_{};
};

}  // namespace weir::blocks
