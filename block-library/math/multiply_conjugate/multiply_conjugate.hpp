#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>

#include "weir/block.hpp"
#include "weir/complex_product.hpp"
#include "weir/volk.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

struct MultiplyConjugate {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { multiply(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in0, In<c64>& in1, Out<c64>& out) noexcept {
        const std::size_t n = std::min({in0.size(), in1.size(), out.size()});
        if (n == 0) return std::min(in0.size(), in1.size()) == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        multiply(out.data(), in0.data(), in1.data(), n);
        in0.consume(n);
        in1.consume(n);
        out.produce(n);
        return WorkStatus::ok;
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
