#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct ComplexToRealImag {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { take_apart(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<float>& real, Out<float>& imag) noexcept {
        const std::size_t n = std::min({in.size(), real.size(), imag.size()});
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        take_apart(real.data(), imag.data(), in.data(), n);
        in.consume(n);
        real.produce(n);
        imag.produce(n);
        return WorkStatus::ok;
    }

  private:
    static void take_apart(float* re, float* im, const c64* x, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_32fc_deinterleave_32f_x2")) {
            volk_32fc_deinterleave_32f_x2(re, im, x, static_cast<unsigned>(n));
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                re[i] = x[i].real();
                im[i] = x[i].imag();
            }
        }
    }
};

}  // namespace weir::blocks
