#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct ComplexToReal {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { volk_32fc_deinterleave_real_32f(nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_32fc_deinterleave_real_32f(out.data(), in.data(), static_cast<unsigned>(n));
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    float element(c64 z) const noexcept { return z.real(); }
};

}  // namespace weir::blocks
