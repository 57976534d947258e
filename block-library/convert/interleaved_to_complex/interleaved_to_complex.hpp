#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/volk_scaling.hpp"

namespace weir::blocks {

template <class T> struct InterleavedToComplex {
    struct Params {
        float scale = 1.0F;
        float offset = 0.0F;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.scale == 0.0F) throw std::runtime_error("scale must not be 0");
    }

    WorkResult work(In<T>& in, Out<c64>& out) noexcept {
        const std::size_t n = std::min(in.size() / 2, out.size());
        if (n == 0) return in.size() < 2 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_scale_to_float(reinterpret_cast<float*>(out.data()), in.data(), 2 * n, params.scale, params.offset);
        in.consume(2 * n);
        out.produce(n);
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
