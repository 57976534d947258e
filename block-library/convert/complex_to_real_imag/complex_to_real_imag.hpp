#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct ComplexToRealImag {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { volk_32fc_deinterleave_32f_x2(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<float>& real, Out<float>& imag) noexcept {
        const std::size_t n = std::min({in.size(), real.size(), imag.size()});
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_32fc_deinterleave_32f_x2(real.data(), imag.data(), in.data(), static_cast<unsigned>(n));
        in.consume(n);
        real.produce(n);
        imag.produce(n);
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
