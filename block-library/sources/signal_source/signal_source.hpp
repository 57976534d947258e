#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "weir/block.hpp"
#include "weir/phase.hpp"

namespace weir::blocks {

template <class T> struct SignalSource {
    enum class Waveform { kCosine, kSine, kSquare, kTriangle, kSawtooth, kConstant };
    struct Params {
        Waveform waveform = Waveform::kCosine;
        double sample_rate = 48000.0;
        double frequency = 1000.0;
        float amplitude = 1.0F;
        double phase = 0.0;
        T offset{};
    };
    Params params;

    void start(const BlockContext&) {
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        step_ = phase_step(params.frequency, params.sample_rate);
        first_ = phase_ = phase_word(params.phase / (2.0 * std::numbers::pi));
    }

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        switch (params.waveform) {
            case Waveform::kCosine: fill(out, cosine); break;
            case Waveform::kSine: fill(out, [](std::uint32_t p) { return cosine(p - kQuarter); }); break;
            case Waveform::kSquare: fill(out, [](std::uint32_t p) { return p < 2 * kQuarter ? 1.0 : -1.0; }); break;
            case Waveform::kTriangle: fill(out, triangle); break;
            case Waveform::kSawtooth: fill(out, [](std::uint32_t p) { return signed_phase(p) * 0x1p-31; }); break;
            case Waveform::kConstant: fill_constant(out); break;
        }
        out.produce(out.size());
        return WorkStatus::ok;
    }

    void seek(std::uint64_t index) noexcept { phase_ = first_ + index * step_; }

  private:
    static constexpr std::uint32_t kQuarter = 1U << 30;

    static double signed_phase(std::uint32_t p) noexcept { return static_cast<double>(static_cast<std::int32_t>(p)); }

    static double triangle(std::uint32_t p) noexcept { return 1.0 - std::fabs(signed_phase(p - kQuarter)) * 0x1p-30; }

    /// Evaluate a polynomial by Horner's scheme. Pack expansion unrolls it, because the loop over the items vectorises
    /// only then.
    template <std::size_t N> static double series(double x, const std::array<double, N>& c) noexcept {
        return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
            double sum = c[0];
            ((sum = std::fma(sum, x, c[Is + 1])), ...);
            return sum;
        }(std::make_index_sequence<N - 1>{});
    }

    /// Return cos(2 pi p / 2^32) with an error below 1e-13. This polynomial gives the same bits on every machine, and
    /// its loop vectorises.
    static double cosine(std::uint32_t p) noexcept {
        const std::uint32_t octant = p + kQuarter / 2;
        const double x = signed_phase((octant & (kQuarter - 1)) - kQuarter / 2) * (std::numbers::pi * 0x1p-31);
        const double x2 = x * x;
        const double even = series(x2, std::array{-1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                                                  1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0});
        const double odd = x * series(x2, std::array{1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
                                                     -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0});
        const std::uint32_t quadrant = octant >> 30;
        const double size = (quadrant & 1U) != 0 ? odd : even;
        return ((quadrant + 1U) & 2U) != 0 ? -size : size;
    }

    template <class Wave> void fill(Out<T>& out, Wave wave) noexcept {
        const double amplitude = params.amplitude;
        for (std::size_t i = 0; i < out.size(); ++i) {
            // Round the phase to 32 bits. The error of the step, 2^-35 cycles after 1e9 items, then cannot move an edge
            // by an item.
            const auto p = static_cast<std::uint32_t>((phase_ + (1ULL << 31)) >> 32);
            if constexpr (std::is_same_v<T, c64>) {
                out[i] = {static_cast<float>(std::fma(amplitude, wave(p), static_cast<double>(params.offset.real()))),
                          static_cast<float>(
                              std::fma(amplitude, wave(p - kQuarter), static_cast<double>(params.offset.imag())))};
            } else {
                out[i] = static_cast<T>(std::fma(amplitude, wave(p), static_cast<double>(params.offset)));
            }
            phase_ += step_;
        }
    }

    void fill_constant(Out<T>& out) noexcept {
        const T value = params.offset + params.amplitude;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = value;
    }

    std::uint64_t first_ = 0;
    std::uint64_t phase_ = 0;
    std::uint64_t step_ = 0;
};

}  // namespace weir::blocks
