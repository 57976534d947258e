#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

struct CharToUchar {
    struct Params {};
    Params params;

    WorkResult work(In<std::int8_t>& in, Out<std::uint8_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::transform(in.data(), in.data() + n, out.data(), [this](std::int8_t x) { return element(x); });
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    std::uint8_t element(std::int8_t x) const noexcept { return static_cast<std::uint8_t>(x); }
};

}  // namespace weir::blocks
