#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct KeepOneInN {
    struct Params {
        std::int64_t n = 1;
        std::int64_t index = 0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.n < 1) throw std::runtime_error("n must be at least 1");
        if (params.index < 0 || params.index >= params.n) throw std::runtime_error("index must be at least 0 and below n");
        group_ = static_cast<std::size_t>(params.n);
        kept_ = static_cast<std::size_t>(params.index);
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / group_, out.size());
        if (firings == 0) return in.size() < group_ ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t m = 0; m < firings; ++m) out[m] = in[m * group_ + kept_];
        in.consume(firings * group_);
        out.produce(firings);
        return WorkStatus::ok;
    }

  private:
    std::size_t group_ = 1;
    std::size_t kept_ = 0;
};

}  // namespace weir::blocks
