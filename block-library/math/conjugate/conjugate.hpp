#pragma once

#include <cstddef>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

struct Conjugate {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { conjugate(nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept { return item_for_item(conjugate, out, in); }

    c64 element(c64 z) const noexcept { return {z.real(), -z.imag()}; }

  private:
    static void conjugate(c64* y, const c64* x, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_32fc_conjugate_32fc")) volk_32fc_conjugate_32fc(y, x, static_cast<unsigned>(n));
        else
            for (std::size_t i = 0; i < n; ++i) y[i] = {x[i].real(), -x[i].imag()};
    }
};

}  // namespace weir::blocks
