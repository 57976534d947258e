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

template <class T> struct FirFilter {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t decimation = 1;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        if (params.decimation < 1) throw std::runtime_error("decimation must be at least 1");
        decimation_ = static_cast<std::size_t>(params.decimation);
        reversed_.assign(params.taps.rbegin(), params.taps.rend());
        history_ = reversed_.size() - 1;
        seam_.assign(2 * history_ + 1, T{});
        dot(seam_.data());  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / decimation_, out.size());
        if (firings == 0) return in.size() < decimation_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t used = firings * decimation_;

        // The seam holds the history and then the first items of this chunk. It serves the windows that begin in
        // earlier chunks.
        std::copy_n(in.data(), std::min(used, history_), seam_.data() + history_);
        std::size_t m = 0;
        for (; m < firings && m * decimation_ < history_; ++m) out[m] = dot(seam_.data() + m * decimation_);
        for (; m < firings; ++m) out[m] = dot(in.data() + (m * decimation_ - history_));

        const T* newest = used < history_ ? seam_.data() + used : in.data() + (used - history_);
        std::copy_n(newest, history_, seam_.data());
        in.consume(used);
        out.produce(firings);
        return WorkStatus::ok;
    }

  private:
    /// Use the unaligned kernel even for aligned items: the order of additions must not depend on the address.
    T dot(const T* window) const noexcept {
        T sum{};
        if constexpr (std::is_same_v<T, c64> && calls_volk("volk_32fc_32f_dot_prod_32fc")) {
            volk_32fc_32f_dot_prod_32fc_u(&sum, window, reversed_.data(), static_cast<unsigned>(reversed_.size()));
        } else if constexpr (std::is_same_v<T, float> && calls_volk("volk_32f_x2_dot_prod_32f")) {
            volk_32f_x2_dot_prod_32f_u(&sum, window, reversed_.data(), static_cast<unsigned>(reversed_.size()));
        } else {
            for (std::size_t k = 0; k < reversed_.size(); ++k) sum += window[k] * reversed_[k];
        }
        return sum;
    }

    volk::vector<float> reversed_;  // aligned: even VOLK 2.5's unaligned AVX2 kernel for c64 loads taps aligned
    std::vector<T> seam_;
    std::size_t history_ = 0;
    std::size_t decimation_ = 1;
};

}  // namespace weir::blocks
