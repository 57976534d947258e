#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Agc {
    struct Params {
        float reference = 1.0F;
        double attack = 0.01;
        double decay = 0.001;
        float max_gain = 65536.0F;
    };
    Params params;

    void start(const BlockContext&) {
        const auto part = [](double x) { return x >= 0.0 && x <= 1.0; };
        if (!part(params.attack) || !part(params.decay))
            throw std::runtime_error("attack and decay must be within 0 and 1");
        if (!(params.reference >= 0.0F)) throw std::runtime_error("reference must not be negative");
        if (!(params.max_gain >= 0.0F)) throw std::runtime_error("max_gain must not be negative");
        begun_ = false;
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const auto make = [this](T* y, const T* x, std::size_t n) {
            if (!begun_) {
                level_ = size(x[0]);
                begun_ = true;
            }
            for (std::size_t i = 0; i < n; ++i) {
                const double above = size(x[i]) - level_;
                level_ += (above > 0.0 ? params.attack : params.decay) * above;
                const double gain = std::min<double>(params.max_gain, params.reference / level_);
                y[i] = amplified(x[i], level_ > 0.0 ? gain : params.max_gain);
            }
        };
        return item_for_item(make, out, in);
    }

  private:
    static double size(T x) noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            const double re = x.real(), im = x.imag();
            return std::sqrt(re * re + im * im);
        } else {
            return std::fabs(static_cast<double>(x));
        }
    }

    static T amplified(T x, double gain) noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            return {static_cast<float>(x.real() * gain), static_cast<float>(x.imag() * gain)};
        } else {
            return static_cast<float>(static_cast<double>(x) * gain);
        }
    }

    double level_ = 0.0;
    bool begun_ = false;
};

}  // namespace weir::blocks
