#pragma once

#include <volk/volk_alloc.hh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct Interpolate {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t interpolation = 1;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        if (params.interpolation < 1) throw std::runtime_error("interpolation must be at least 1");
        interpolation_ = static_cast<std::size_t>(params.interpolation);
        const std::size_t arm_taps = (params.taps.size() + interpolation_ - 1) / interpolation_;
        history_ = arm_taps - 1;
        // Arm k has the taps k, k + interpolation and so on, in reverse order. Arms without a tap only make zeros, so
        // they are left out.
        arms_.assign(std::min(interpolation_, params.taps.size()), volk::vector<float>(arm_taps, 0.0F));
        for (std::size_t k = 0; k < params.taps.size(); ++k)
            arms_[k % interpolation_][history_ - k / interpolation_] = params.taps[k];
        seam_.assign(2 * history_ + 1, T{});
        dot(seam_.data(), arms_.front());  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size(), out.size() / interpolation_);
        if (firings == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;

        // The seam holds the history and then the first items of this chunk. It serves the windows that begin in
        // earlier chunks.
        std::copy_n(in.data(), std::min(firings, history_), seam_.data() + history_);
        std::size_t m = 0;
        for (; m < std::min(firings, history_); ++m) fire(seam_.data() + m, out.data() + m * interpolation_);
        for (; m < firings; ++m) fire(in.data() + (m - history_), out.data() + m * interpolation_);

        const T* newest = firings < history_ ? seam_.data() + firings : in.data() + (firings - history_);
        std::copy_n(newest, history_, seam_.data());
        in.consume(firings);
        out.produce(firings * interpolation_);
        return WorkStatus::ok;
    }

  private:
    void fire(const T* window, T* out) const noexcept {
        for (std::size_t arm = 0; arm < arms_.size(); ++arm) out[arm] = dot(window, arms_[arm]);
        std::fill(out + arms_.size(), out + interpolation_, T{});
    }

    /// Use the unaligned kernel even for aligned items: the order of additions must not depend on the address.
    static T dot(const T* window, const volk::vector<float>& taps) noexcept {
        T sum{};
        if constexpr (std::is_same_v<T, c64> && calls_volk("volk_32fc_32f_dot_prod_32fc")) {
            volk_32fc_32f_dot_prod_32fc_u(&sum, window, taps.data(), static_cast<unsigned>(taps.size()));
        } else if constexpr (std::is_same_v<T, float> && calls_volk("volk_32f_x2_dot_prod_32f")) {
            volk_32f_x2_dot_prod_32f_u(&sum, window, taps.data(), static_cast<unsigned>(taps.size()));
        } else {
            for (std::size_t k = 0; k < taps.size(); ++k) sum += window[k] * taps[k];
        }
        return sum;
    }

    std::vector<volk::vector<float>> arms_;  // aligned: even VOLK 2.5's unaligned AVX2 kernel loads taps aligned
    std::vector<T> seam_;
    std::size_t history_ = 0;
    std::size_t interpolation_ = 1;
};

}  // namespace weir::blocks
