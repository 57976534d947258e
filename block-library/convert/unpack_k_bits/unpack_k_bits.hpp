#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"

namespace weir::blocks {

struct UnpackKBits {
    struct Params {
        std::int64_t k = 8;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.k < 1 || params.k > 8) throw std::runtime_error("k must be from 1 to 8");
        bits_ = static_cast<std::size_t>(params.k);
    }

    WorkResult work(In<std::uint8_t>& in, Out<std::uint8_t>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size() / bits_);
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::uint8_t* y = out.data();
        for (std::size_t m = 0; m < n; ++m)
            for (std::size_t bit = bits_; bit-- > 0;) *y++ = static_cast<std::uint8_t>(in[m] >> bit & 1U);
        in.consume(n);
        out.produce(n * bits_);
        return WorkStatus::ok;
    }

  private:
    std::size_t bits_ = 8;
};

}  // namespace weir::blocks
