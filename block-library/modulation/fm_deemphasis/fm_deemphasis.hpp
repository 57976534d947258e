#pragma once

#include <cmath>
#include <stdexcept>

#include "weir/item_for_item.hpp"

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
        return each_item_of(out, in, [this](float x) {
            level_ += step_ * (static_cast<double>(x) - level_);
            return static_cast<float>(level_);
        });
    }

  private:
    double step_ = 1.0;
    double level_ = 0.0;
};

}  // namespace weir::blocks
