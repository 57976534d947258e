#pragma once

#include <volk/volk_alloc.hh>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct Resample {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::int64_t interpolation = 1;
        std::int64_t decimation = 1;
        std::int64_t phases = 0;
        double offset = 0.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        if (params.interpolation < 1) throw std::runtime_error("interpolation must be at least 1");
        if (params.decimation < 1) throw std::runtime_error("decimation must be at least 1");
        if (params.phases < 0) throw std::runtime_error("phases must be at least 0");
        const std::int64_t phases = params.phases == 0 ? params.interpolation : params.phases;
        const double step = static_cast<double>(phases * params.decimation) / static_cast<double>(params.interpolation);
        if (!(params.offset >= 0.0)) throw std::runtime_error("offset must be at least 0");
        offset_ = std::fmod(params.offset, step);
        used_ = static_cast<std::size_t>(params.decimation);
        const auto each = static_cast<std::size_t>(phases);
        history_ = (params.taps.size() + each - 1) / each - 1;
        arms_.clear();
        for (std::int64_t m = 0; m < params.interpolation; ++m) arms_.push_back(arm(m, phases));
        seam_.assign(2 * history_ + 1, T{});
        dot(seam_.data(), arms_.front().taps);  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / used_, out.size() / arms_.size());
        if (firings == 0) return in.size() < used_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t used = firings * used_;

        // The seam holds the history and then the first items of this chunk. It serves the windows that begin in
        // earlier chunks.
        std::copy_n(in.data(), std::min(used, history_), seam_.data() + history_);
        T* y = out.data();
        for (std::size_t first = 0; first < used; first += used_) {
            for (const Arm& arm : arms_) {
                const std::size_t newest = first + arm.newest;
                *y++ = dot(newest < history_ ? seam_.data() + newest : in.data() + (newest - history_), arm.taps);
            }
        }

        const T* kept = used < history_ ? seam_.data() + used : in.data() + (used - history_);
        std::copy_n(kept, history_, seam_.data());
        in.consume(used);
        out.produce(firings * arms_.size());
        return WorkStatus::ok;
    }

  private:
    /// Taps of one output item of a firing, in reverse order, and the last input item that they weigh.
    struct Arm {
        volk::vector<float> taps;  // aligned: even VOLK 2.5's unaligned AVX2 kernel for c64 loads taps aligned
        std::size_t newest;
    };

    Arm arm(std::int64_t m, std::int64_t phases) const {
        const std::int64_t way = m * phases * params.decimation;
        const double part = static_cast<double>(way % params.interpolation) / static_cast<double>(params.interpolation);
        const double beyond = offset_ + part;  // the whole taps before are exact
        const auto whole = static_cast<std::int64_t>(std::floor(beyond));
        const std::int64_t tap = way / params.interpolation + whole;
        const double between = beyond - static_cast<double>(whole);
        Arm made{volk::vector<float>(history_ + 1, 0.0F), static_cast<std::size_t>(tap / phases)};
        for (std::size_t k = 0; k <= history_; ++k) {
            const auto at = static_cast<std::size_t>(tap % phases) + k * static_cast<std::size_t>(phases);
            made.taps[history_ - k] = static_cast<float>(value(at) + (value(at + 1) - value(at)) * between);
        }
        return made;
    }

    double value(std::size_t at) const noexcept { return at < params.taps.size() ? params.taps[at] : 0.0F; }

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

    std::vector<Arm> arms_;
    std::vector<T> seam_;
    double offset_ = 0.0;
    std::size_t history_ = 0;
    std::size_t used_ = 1;
};

}  // namespace weir::blocks
