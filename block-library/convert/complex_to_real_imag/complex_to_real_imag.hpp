#pragma once

#include <cstddef>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct ComplexToRealImag {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { take_apart(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<float>& real, Out<float>& imag) noexcept {
        return item_for_item(take_apart, real, imag, in);
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
