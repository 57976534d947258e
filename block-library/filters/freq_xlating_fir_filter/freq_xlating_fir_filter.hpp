#pragma once

#include <volk/volk_alloc.hh>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"
#include "weir/checks.hpp"
#include "weir/history.hpp"
#include "weir/oscillator.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct FreqXlatingFirFilter {
    struct Params {
        std::vector<float> taps = {1.0F};
        std::vector<float> taps_imag = {};
        std::int64_t decimation = 1;
        double sample_rate = 48000.0;
        double frequency = 0.0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.taps.empty()) throw std::runtime_error("taps must have at least one value");
        if (!params.taps_imag.empty() && params.taps_imag.size() != params.taps.size())
            throw std::runtime_error("taps_imag must be empty, or have as many values as taps");
        if (!(params.sample_rate > 0.0)) throw std::runtime_error("sample_rate must be positive");
        decimation_ = at_least_1(params.decimation, "decimation");
        // The taps are shifted up to the frequency, so that only the items that are kept need to be shifted down.
        const std::uint64_t half_step = phase_step(params.frequency, 2.0 * params.sample_rate);
        make_taps(half_step);
        oscillator_.start(0 - 2 * half_step * decimation_);
        history_.start(params.taps.size() - 1);
        dot(history_.zeros());  // VOLK chooses its kernel at the first call
    }

    WorkResult work(In<T>& in, Out<c64>& out) noexcept {
        const std::size_t firings = std::min(in.size() / decimation_, out.size());
        if (firings == 0) return in.size() < decimation_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t used = firings * decimation_;

        history_.enter(in.data(), used);
        for (std::size_t m = 0; m < firings; ++m) out[m] = dot(history_.window(in.data(), m * decimation_));
        history_.leave(in.data(), used);
        oscillator_.turn(out.data(), out.data(), firings);
        in.consume(used);
        out.produce(firings);
        return WorkStatus::ok;
    }

  private:
    static constexpr bool kComplex = std::is_same_v<T, c64>;

    void make_taps(std::uint64_t half_step) {
        const std::size_t count = params.taps.size();
        reversed_.resize(kComplex ? count : 0);
        real_.resize(kComplex ? 0 : count);
        imag_.resize(kComplex ? 0 : count);
        for (std::size_t k = 0; k < count; ++k) {
            const double imag = params.taps_imag.empty() ? 0.0 : params.taps_imag[k];
            const std::complex<double> tap =
                std::complex<double>(params.taps[k], imag) * phasor((2 * k - (count - 1)) * half_step);
            const float re = static_cast<float>(tap.real()), im = static_cast<float>(tap.imag());
            if constexpr (kComplex) {
                reversed_[count - 1 - k] = {re, im};
            } else {
                real_[count - 1 - k] = re;
                imag_[count - 1 - k] = im;
            }
        }
    }

    /// Use unaligned kernels even for aligned items: the order of additions must not depend on the address.
    c64 dot(const T* window) const noexcept {
        const auto count = static_cast<unsigned>(params.taps.size());
        if constexpr (kComplex && calls_volk("volk_32fc_x2_dot_prod_32fc")) {
            c64 sum{};
            volk_32fc_x2_dot_prod_32fc_u(&sum, window, reversed_.data(), count);
            return sum;
        } else if constexpr (!kComplex && calls_volk("volk_32f_x2_dot_prod_32f")) {
            float re = 0.0F, im = 0.0F;
            volk_32f_x2_dot_prod_32f_u(&re, window, real_.data(), count);
            volk_32f_x2_dot_prod_32f_u(&im, window, imag_.data(), count);
            return {re, im};
        } else {
            float re = 0.0F, im = 0.0F;
            for (std::size_t k = 0; k < count; ++k) {
                if constexpr (kComplex) {
                    re += window[k].real() * reversed_[k].real() - window[k].imag() * reversed_[k].imag();
                    im += window[k].real() * reversed_[k].imag() + window[k].imag() * reversed_[k].real();
                } else {
                    re += window[k] * real_[k];
                    im += window[k] * imag_[k];
                }
            }
            return {re, im};
        }
    }

    volk::vector<c64> reversed_;
    volk::vector<float> real_, imag_;
    History<T> history_;
    Oscillator oscillator_;
    std::size_t decimation_ = 1;
};

}  // namespace weir::blocks
