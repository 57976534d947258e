#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct ComplexToPhase {
    struct Params {};
    Params params;

    WorkResult work(In<c64>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::transform(in.data(), in.data() + n, out.data(), [this](c64 z) { return element(z); });
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    float element(c64 z) const noexcept { return std::atan2(z.imag(), z.real()); }
};

}  // namespace weir::blocks
