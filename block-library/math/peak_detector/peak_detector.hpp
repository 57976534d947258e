#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

struct PeakDetector {
    struct Params {
        double threshold = 7.0;
        std::int64_t look_ahead = 1000;
        double alpha = 0.001;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.look_ahead < 1) throw std::runtime_error("look_ahead must be at least 1");
        if (!(params.alpha >= 0.0 && params.alpha <= 1.0)) throw std::runtime_error("alpha must be from 0 to 1");
        marks_.assign(static_cast<std::size_t>(params.look_ahead), 0);
        averages_.assign(static_cast<std::size_t>(params.look_ahead), 0.0F);
        mean_ = 0.0;
        newest_ = 0;
        left_ = 0;
    }

    WorkResult work(In<float>& in, Out<std::uint8_t>& out, Out<float>& average) noexcept {
        const auto make = [this](std::uint8_t* mark, float* mean, const float* x, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) {
                take(x[i]);
                newest_ = newest_ + 1 == marks_.size() ? 0 : newest_ + 1;  // the oldest item's place, too
                mark[i] = marks_[newest_];
                mean[i] = averages_[newest_];
            }
        };
        return item_for_item(make, out, average, in);
    }

  private:
    void take(float x) noexcept {
        mean_ = params.alpha * static_cast<double>(x) + (1.0 - params.alpha) * mean_;
        marks_[newest_] = 0;
        averages_[newest_] = static_cast<float>(mean_);
        if (left_ == 0) {
            if (!(static_cast<double>(x) > (1.0 + params.threshold) * mean_)) return;
            left_ = marks_.size();
            peak_ = newest_;
            largest_ = x;
        } else if (x > largest_) {
            peak_ = newest_;
            largest_ = x;
        }
        if (--left_ == 0) marks_[peak_] = 1;
    }

    std::vector<std::uint8_t> marks_;  // of the last `look_ahead` items, as a ring
    std::vector<float> averages_;
    double mean_ = 0.0;
    std::size_t newest_ = 0;
    std::size_t left_ = 0;  // items to the end of the window, 0 outside of one
    std::size_t peak_ = 0;
    float largest_ = 0.0F;
};

}  // namespace weir::blocks
