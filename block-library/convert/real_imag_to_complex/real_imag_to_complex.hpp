#pragma once

#include <cstddef>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct RealImagToComplex {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { join(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<float>& real, In<float>& imag, Out<c64>& out) noexcept {
        return item_for_item(join, out, real, imag);
    }

    c64 element(float real, float imag) const noexcept { return {real, imag}; }

  private:
    static void join(c64* y, const float* re, const float* im, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_32f_x2_interleave_32fc"))
            volk_32f_x2_interleave_32fc(y, re, im, static_cast<unsigned>(n));
        else
            for (std::size_t i = 0; i < n; ++i) y[i] = {re[i], im[i]};
    }
};

}  // namespace weir::blocks
