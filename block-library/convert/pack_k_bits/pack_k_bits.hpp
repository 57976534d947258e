#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"

namespace weir::blocks {

struct PackKBits {
    struct Params {
        std::int64_t k = 8;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.k < 1 || params.k > 8) throw std::runtime_error("k must be from 1 to 8");
        bits_ = static_cast<std::size_t>(params.k);
    }

    WorkResult work(In<std::uint8_t>& in, Out<std::uint8_t>& out) noexcept {
        const std::size_t n = std::min(in.size() / bits_, out.size());
        if (n == 0) return in.size() < bits_ ? WorkStatus::need_input : WorkStatus::need_output;
        const std::uint8_t* x = in.data();
        for (std::size_t m = 0; m < n; ++m) {
            unsigned packed = 0;
            for (std::size_t i = 0; i < bits_; ++i) packed = packed << 1U | (*x++ & 1U);
            out[m] = static_cast<std::uint8_t>(packed);
        }
        in.consume(n * bits_);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    std::size_t bits_ = 8;
};

}  // namespace weir::blocks
