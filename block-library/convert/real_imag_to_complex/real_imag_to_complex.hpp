#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct RealImagToComplex {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { volk_32f_x2_interleave_32fc(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<float>& real, In<float>& imag, Out<c64>& out) noexcept {
        const std::size_t n = std::min({real.size(), imag.size(), out.size()});
        if (n == 0) return std::min(real.size(), imag.size()) == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_32f_x2_interleave_32fc(out.data(), real.data(), imag.data(), static_cast<unsigned>(n));
        real.consume(n);
        imag.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    c64 element(float real, float imag) const noexcept { return {real, imag}; }
};

}  // namespace weir::blocks
