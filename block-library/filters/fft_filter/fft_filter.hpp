#pragma once

#include <fftw3.h>
#include <volk/volk_alloc.hh>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"
#include "weir/complex_product.hpp"
#include "weir/fftw.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct FftFilter {
    struct Params {
        std::vector<float> taps = {1.0F};
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        size_ = 2 * std::bit_ceil(params.taps.size());
        group_ = size_ - params.taps.size() + 1;
        const std::size_t bins = kReal ? size_ / 2 + 1 : size_;
        items_.assign(size_, T{});
        spectrum_.assign(bins, c64{});
        response_.assign(bins, c64{1.0F});
        tail_.assign(params.taps.size() - 1, T{});
        make_plans();
        std::ranges::transform(params.taps, items_.begin(),
                               [this](float tap) { return T(tap / static_cast<float>(size_)); });
        ::fftwf_execute(forward_.get());
        apply_response();  // VOLK chooses its kernel at the first call
        response_ = spectrum_;
    }

    void stop() {
        const std::lock_guard lock(fftw_planner());
        forward_.reset();
        inverse_.reset();
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t groups = std::min(in.size(), out.size()) / group_;
        if (groups == 0) return in.size() < group_ ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t g = 0; g < groups; ++g) filter(in.data() + g * group_, out.data() + g * group_);
        in.consume(groups * group_);
        out.produce(groups * group_);
        return WorkStatus::ok;
    }

  private:
    static constexpr bool kReal = std::is_same_v<T, float>;

    void make_plans() {
        const auto size = static_cast<int>(size_);
        auto* const bins = reinterpret_cast<fftwf_complex*>(spectrum_.data());
        const std::lock_guard lock(fftw_planner());
        if constexpr (kReal) {
            forward_.reset(::fftwf_plan_dft_r2c_1d(size, items_.data(), bins, FFTW_ESTIMATE));
            inverse_.reset(::fftwf_plan_dft_c2r_1d(size, bins, items_.data(), FFTW_ESTIMATE));
        } else {
            auto* const items = reinterpret_cast<fftwf_complex*>(items_.data());
            forward_.reset(::fftwf_plan_dft_1d(size, items, bins, FFTW_FORWARD, FFTW_ESTIMATE));
            inverse_.reset(::fftwf_plan_dft_1d(size, bins, items, FFTW_BACKWARD, FFTW_ESTIMATE));
        }
        if (!forward_ || !inverse_) throw std::runtime_error("FFTW has no plan for size " + std::to_string(size_));
    }

    /// Filter a group on its own, and add what the filter still gave after the group before it.
    void filter(const T* x, T* y) noexcept {
        std::fill(std::copy_n(x, group_, items_.begin()), items_.end(), T{});
        ::fftwf_execute(forward_.get());
        apply_response();
        ::fftwf_execute(inverse_.get());
        std::ranges::transform(tail_, items_, items_.begin(), [](T before, T now) { return before + now; });
        const auto rest = items_.begin() + static_cast<std::ptrdiff_t>(group_);
        std::copy(items_.begin(), rest, y);
        std::copy(rest, items_.end(), tail_.begin());
    }

    /// Multiply the spectrum by the filter's. All buffers are aligned, so VOLK always takes the same implementation.
    void apply_response() noexcept {
        if constexpr (calls_volk("volk_32fc_x2_multiply_32fc")) {
            volk_32fc_x2_multiply_32fc(spectrum_.data(), spectrum_.data(), response_.data(),
                                       static_cast<unsigned>(spectrum_.size()));
        } else {
            for (std::size_t i = 0; i < spectrum_.size(); ++i)
                spectrum_[i] = complex_product(spectrum_[i], response_[i]);
        }
    }

    std::size_t size_ = 2;  // items of a transform
    std::size_t group_ = 2;  // items that a transform filters: its size without the tail
    volk::vector<T> items_;
    volk::vector<c64> spectrum_, response_;
    std::vector<T> tail_;
    FftwPlan forward_, inverse_;
};

}  // namespace weir::blocks
