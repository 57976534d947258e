#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <type_traits>

#include "weir/block.hpp"

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
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t i = 0; i < n; ++i) {
            const Wide x{in[i]};
            after_ = (x - before_) + pole_ * after_;
            before_ = x;
            out[i] = static_cast<T>(after_);
        }
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    using Wide = std::conditional_t<std::is_same_v<T, c64>, std::complex<double>, double>;

    double pole_ = 1.0;
    Wide before_{};
    Wide after_{};
};

}  // namespace weir::blocks
