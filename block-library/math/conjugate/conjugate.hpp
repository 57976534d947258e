#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct Conjugate {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { volk_32fc_conjugate_32fc(nullptr, nullptr, 0); }

    WorkResult work(In<c64>& in, Out<c64>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_32fc_conjugate_32fc(out.data(), in.data(), static_cast<unsigned>(n));
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    c64 element(c64 z) const noexcept { return {z.real(), -z.imag()}; }
};

}  // namespace weir::blocks
