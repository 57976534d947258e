#pragma once

#include <cmath>
#include <cstddef>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

struct ComplexToMag {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { magnitude(nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<float>& out) noexcept { return item_for_item(magnitude, out, in); }

  private:
    static void magnitude(float* y, const c64* x, std::size_t n) noexcept {
        if constexpr (calls_volk("volk_32fc_magnitude_32f")) {
            const auto kernel = [](float* m, const c64* z, unsigned items) { volk_32fc_magnitude_32f_u(m, z, items); };
            in_whole_groups(kernel, n, y, x);
        } else {
            for (std::size_t i = 0; i < n; ++i) y[i] = std::sqrt(x[i].real() * x[i].real() + x[i].imag() * x[i].imag());
        }
    }
};

}  // namespace weir::blocks
