#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/block.hpp"
#include "weir/checks.hpp"
#include "weir/history.hpp"
#include "weir/volk_dot.hpp"

namespace weir::blocks {

template <class T> struct Interpolate {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t interpolation = 1;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        interpolation_ = at_least_1(params.interpolation, "interpolation");
        const std::size_t arm_taps = (params.taps.size() + interpolation_ - 1) / interpolation_;
        // Arm k has the taps k, k + interpolation and so on, in reverse order. Arms without a tap only make zeros, so
        // they are left out.
        arms_.assign(std::min(interpolation_, params.taps.size()), Taps(arm_taps, 0.0F));
        for (std::size_t k = 0; k < params.taps.size(); ++k)
            arms_[k % interpolation_][arm_taps - 1 - k / interpolation_] = params.taps[k];
        history_.start(arm_taps - 1);
        dot(history_.zeros(), arms_.front());  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size(), out.size() / interpolation_);
        if (firings == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;

        history_.enter(in.data(), firings);
        for (std::size_t m = 0; m < firings; ++m) fire(history_.window(in.data(), m), out.data() + m * interpolation_);
        history_.leave(in.data(), firings);
        in.consume(firings);
        out.produce(firings * interpolation_);
        return WorkStatus::ok;
    }

  private:
    void fire(const T* window, T* out) const noexcept {
        for (std::size_t arm = 0; arm < arms_.size(); ++arm) out[arm] = dot(window, arms_[arm]);
        std::fill(out + arms_.size(), out + interpolation_, T{});
    }

    std::vector<Taps> arms_;
    History<T> history_;
    std::size_t interpolation_ = 1;
};

}  // namespace weir::blocks
