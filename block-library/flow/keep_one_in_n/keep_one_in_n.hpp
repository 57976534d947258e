#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"
#include "weir/checks.hpp"

namespace weir::blocks {

template <class T> struct KeepOneInN {
    struct Params {
        std::int64_t n = 1;
        std::int64_t index = 0;
        std::int64_t vector = 1;
    };
    Params params;

    void start(const BlockContext&) {
        const std::size_t n = at_least_1(params.n, "n");
        vector_ = at_least_1(params.vector, "vector");
        if (params.index < 0 || params.index >= params.n)
            throw std::runtime_error("index must be at least 0 and below n");
        group_ = n * vector_;
        first_ = static_cast<std::size_t>(params.index) * vector_;
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / group_, out.size() / vector_);
        if (firings == 0) return in.size() < group_ ? WorkStatus::need_input : WorkStatus::need_output;
        if (vector_ == 1) {
            for (std::size_t m = 0; m < firings; ++m) out[m] = in[m * group_ + first_];
        } else {
            for (std::size_t m = 0; m < firings; ++m)
                std::copy_n(in.data() + m * group_ + first_, vector_, out.data() + m * vector_);
        }
        in.consume(firings * group_);
        out.produce(firings * vector_);
        return WorkStatus::ok;
    }

  private:
    std::size_t vector_ = 1;
    std::size_t group_ = 1;
    std::size_t first_ = 0;
};

}  // namespace weir::blocks
