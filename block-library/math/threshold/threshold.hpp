#pragma once

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct Threshold {
    struct Params {
        float low = -100.0F;
        float high = 100.0F;
        float initial = 0.0F;
    };
    Params params;

    void start(const BlockContext&) { state_ = params.initial; }

    WorkResult work(In<float>& in, Out<float>& out) noexcept {
        return each_item_of(out, in, [this](float x) {
            if (x > params.high) state_ = 1.0F;
            else if (x < params.low) state_ = 0.0F;
            return state_;
        });
    }

  private:
    float state_ = 0.0F;
};

}  // namespace weir::blocks
