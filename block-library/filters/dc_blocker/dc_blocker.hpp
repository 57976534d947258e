#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <type_traits>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct DcBlocker {
    struct Params {
        double sample_rate = 48000.0;
        double cutoff = 10.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        if (!(params.cutoff >= 0.0)) throw std::runtime_error("cutoff must not be negative");
        pole_ = std::exp(-2.0 * std::numbers::pi * params.cutoff / params.sample_rate);
        before_ = after_ = {};
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return each_item_of(out, in, [this](T item) {
            const Wide x{item};
            after_ = (x - before_) + pole_ * after_;
            before_ = x;
            return static_cast<T>(after_);
        });
    }

  private:
    using Wide = std::conditional_t<std::is_same_v<T, c64>, std::complex<double>, double>;

    double pole_ = 1.0;
    Wide before_{};
    Wide after_{};
};

}  // namespace weir::blocks
