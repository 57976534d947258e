#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/digest.hpp"

namespace weir::blocks {

template <class T> struct CopyRand {
    struct Params {
        std::int64_t max_copy = 512;
    };
    Params params;

    void start(const BlockContext& context) {
        state_ = context.seed;
        limit_ = static_cast<std::size_t>(std::clamp<std::int64_t>(params.max_copy, 1, 1 << 30));
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        // Nested calls, because the minimum of a list of three compiles to a loop.
        const std::size_t most = std::min(std::min(in.size(), out.size()), limit_);
        if (most == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        const std::size_t n = 1 + below(most);
        std::copy_n(in.data(), n, out.data());
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    /// Return a uniform number in [0, bound). A multiplication replaces the division, with a bias below bound / 2^32.
    std::size_t below(std::size_t bound) noexcept {
        const std::uint64_t word = splitmix64(state_);
        state_ += 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(((word >> 32) * bound) >> 32);
    }

    std::uint64_t state_ = 0;
    std::size_t limit_ = 512;
};

}  // namespace weir::blocks
