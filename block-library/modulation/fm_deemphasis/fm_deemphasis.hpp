#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "weir/block.hpp"

namespace weir::blocks {

struct FmDeemphasis {
    struct Params {
        double sample_rate = 48000.0;
        double tau = 5e-5;
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        if (!(params.tau > 0.0)) throw std::runtime_error("tau must be positive");
        step_ = -std::expm1(-1.0 / (params.sample_rate * params.tau));
        level_ = 0.0;
    }

    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t i = 0; i < n; ++i) {
            level_ += step_ * (static_cast<double>(in[i]) - level_);
            out[i] = static_cast<float>(level_);
        }
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    double step_ = 1.0;
    double level_ = 0.0;
};

}  // namespace weir::blocks
