#pragma once

#include <cstddef>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct ComplexToReal {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { take(nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<float>& out) noexcept { return item_for_item(take, out, in); }

    float element(c64 z) const noexcept { return z.real(); }

  private:
    static void take(float* y, const c64* x, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_32fc_deinterleave_real_32f"))
            volk_32fc_deinterleave_real_32f(y, x, static_cast<unsigned>(n));
        else
            for (std::size_t i = 0; i < n; ++i) y[i] = x[i].real();
    }
};

}  // namespace weir::blocks
