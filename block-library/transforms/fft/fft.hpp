#pragma once

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/block.hpp"
#include "weir/fftw.hpp"

namespace weir::blocks {

struct Fft {
    enum class Direction { kForward, kInverse };
    enum class Window { kRectangular, kHann, kHamming, kBlackman, kBlackmanHarris };
    struct Params {
        std::int64_t size = 1024;
        Direction direction = Direction::kForward;
        Window window = Window::kRectangular;
        bool symmetric = false;
        bool shift = false;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.size < 1 || params.size > kLargest)
            throw std::runtime_error("size must be within 1 and " + std::to_string(kLargest));
        size_ = static_cast<std::size_t>(params.size);
        const bool inverse = params.direction == Direction::kInverse;
        split_in_ = params.shift && inverse ? size_ / 2 : 0;
        split_out_ = params.shift && !inverse ? (size_ + 1) / 2 : 0;
        make_window(inverse ? 1.0 / static_cast<double>(size_) : 1.0);
        buffer_.reset(static_cast<c64*>(::fftwf_malloc(size_ * sizeof(c64))));
        if (!buffer_) throw std::bad_alloc();
        auto* items = reinterpret_cast<fftwf_complex*>(buffer_.get());
        const std::lock_guard lock(fftw_planner());
        plan_.reset(::fftwf_plan_dft_1d(static_cast<int>(size_), items, items, inverse ? FFTW_BACKWARD : FFTW_FORWARD,
                                        FFTW_ESTIMATE));
        if (!plan_) throw std::runtime_error("FFTW has no plan for size " + std::to_string(size_));
    }

    void stop() {
        const std::lock_guard lock(fftw_planner());
        plan_.reset();
    }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const std::size_t groups = std::min(in.size(), out.size()) / size_;
        if (groups == 0) return in.size() < size_ ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t g = 0; g < groups; ++g) transform(in.data() + g * size_, out.data() + g * size_);
        in.consume(groups * size_);
        out.produce(groups * size_);
        return WorkStatus::ok;
    }

  private:
    static constexpr std::int64_t kLargest = 1 << 24;

    /// Transform in a separate buffer with fixed alignment, because the alignment decides which code FFTW uses, and so
    /// the last bits.
    void transform(const c64* in, c64* out) noexcept {
        c64* buffer = buffer_.get();
        for (std::size_t i = split_in_; i < size_; ++i) buffer[i - split_in_] = in[i] * window_[i];
        for (std::size_t i = 0; i < split_in_; ++i) buffer[i + size_ - split_in_] = in[i] * window_[i];
        ::fftwf_execute(plan_.get());
        std::rotate_copy(buffer, buffer + split_out_, buffer + size_, out);
    }

    /// Return the coefficients of cos(k turn), which have alternating signs in the window.
    std::array<double, 4> cosine_terms() const noexcept {
        switch (params.window) {
            case Window::kHann: return {0.5, 0.5, 0.0, 0.0};
            case Window::kHamming: return {0.54, 0.46, 0.0, 0.0};
            case Window::kBlackman: return {0.42, 0.5, 0.08, 0.0};
            case Window::kBlackmanHarris: return {0.35875, 0.48829, 0.14128, 0.01168};
            default: return {1.0, 0.0, 0.0, 0.0};
        }
    }

    void make_window(double scale) {
        const std::array<double, 4> terms = cosine_terms();
        window_.resize(size_);
        const std::size_t span = params.symmetric ? std::max<std::size_t>(size_ - 1, 1) : size_;
        for (std::size_t i = 0; i < size_; ++i) {
            const double turn = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(span);
            const double weight = terms[0] - terms[1] * std::cos(turn) + terms[2] * std::cos(2.0 * turn) -
                                  terms[3] * std::cos(3.0 * turn);
            window_[i] = static_cast<float>(scale * weight);
        }
    }

    std::size_t size_ = 1;
    std::size_t split_in_ = 0;  // input index of the item that goes to the front of the buffer
    std::size_t split_out_ = 0;  // buffer index of the item that goes to the front of the output
    std::vector<float> window_;
    FftwItems<c64> buffer_;
    FftwPlan plan_;
};

}  // namespace weir::blocks
