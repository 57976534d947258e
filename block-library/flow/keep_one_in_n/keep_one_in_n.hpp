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
    };
    Params params;

    void start(const BlockContext&) {
        if (params.n < 1) throw std::runtime_error("n must be at least 1");
        group_ = static_cast<std::size_t>(params.n);
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / group_, out.size());
        if (firings == 0) return in.size() < group_ ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t m = 0; m < firings; ++m) out[m] = in[m * group_];
        in.consume(firings * group_);
        out.produce(firings);
        return WorkStatus::ok;
    }

  private:
    std::size_t group_ = 1;
};

}  // namespace weir::blocks
