#pragma once

#include <cmath>
#include <complex>
#include <stdexcept>
#include <type_traits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Rms {
    struct Params {
        double alpha = 0.0001;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.alpha >= 0.0 && params.alpha <= 1.0)) throw std::runtime_error("alpha must be from 0 to 1");
        power_ = 0.0;
    }

    WorkResult work(In<T>& in, Out<float>& out) noexcept {
        return each_item_of(out, in, [this](T x) {
            power_ = (1.0 - params.alpha) * power_ + params.alpha * power(x);
            return static_cast<float>(std::sqrt(power_));
        });
    }

  private:
    static double power(T x) noexcept {
        if constexpr (std::is_same_v<T, c64>) return std::norm(std::complex<double>(x));
        else return static_cast<double>(x) * static_cast<double>(x);
    }

    double power_ = 0.0;
};

}  // namespace weir::blocks
