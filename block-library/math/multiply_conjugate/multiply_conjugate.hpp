#pragma once

#include <complex>
#include <cstddef>

#include "weir/complex_product.hpp"
#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

struct MultiplyConjugate {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { multiply(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in0, In<c64>& in1, Out<c64>& out) noexcept {
        return item_for_item(multiply, out, in0, in1);
    }

  private:
    static void multiply(c64* y, const c64* x0, const c64* x1, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_32fc_x2_multiply_conjugate_32fc")) {
            const auto kernel = [](c64* product, const c64* a, const c64* b, unsigned items) {
                volk_32fc_x2_multiply_conjugate_32fc_u(product, a, b, items);
            };
            in_whole_groups(kernel, n, y, x0, x1);
        } else {
            for (std::size_t i = 0; i < n; ++i) y[i] = complex_product(x0[i], std::conj(x1[i]));
        }
    }
};

}  // namespace weir::blocks
