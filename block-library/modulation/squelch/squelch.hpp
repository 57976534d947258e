#pragma once

#include <cmath>
#include <complex>
#include <stdexcept>
#include <type_traits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Squelch {
    struct Params {
        double threshold = -50.0;
        double alpha = 0.0001;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.alpha >= 0.0 && params.alpha <= 1.0)) throw std::runtime_error("alpha must be from 0 to 1");
        least_ = std::pow(10.0, params.threshold / 10.0);
        power_ = 0.0;
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return each_item_of(out, in, [this](T x) {
            power_ = params.alpha * power(x) + (1.0 - params.alpha) * power_;
            return power_ > least_ ? x : T{};
        });
    }

  private:
    static double power(T x) noexcept {
        if constexpr (std::is_same_v<T, c64>) return std::norm(std::complex<double>(x));
        else return static_cast<double>(x) * static_cast<double>(x);
    }

    double least_ = 0.0;
    double power_ = 0.0;
};

}  // namespace weir::blocks
