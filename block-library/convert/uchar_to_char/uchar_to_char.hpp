#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

struct UcharToChar {
    struct Params {};
    Params params;

    WorkResult work(In<std::uint8_t>& in, Out<std::int8_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::transform(in.data(), in.data() + n, out.data(), [this](std::uint8_t x) { return element(x); });
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

    std::int8_t element(std::uint8_t x) const noexcept { return static_cast<std::int8_t>(x); }
};

}  // namespace weir::blocks
