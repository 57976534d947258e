#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

struct CharToShort {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { volk_8i_convert_16i(nullptr, nullptr, 0); }

    WorkResult work(In<std::int8_t>& in, Out<std::int16_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        volk_8i_convert_16i(out.data(), in.data(), static_cast<unsigned>(n));
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    std::int16_t element(std::int8_t x) const noexcept { return static_cast<std::int16_t>(x * 256); }
};

}  // namespace weir::blocks
