#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/checks.hpp"

namespace weir::blocks {

template <class T> struct Repeat {
    struct Params {
        std::int64_t n = 1;
        std::int64_t vector = 1;
    };
    Params params;

    void start(const BlockContext&) {
        times_ = at_least_1(params.n, "n");
        vector_ = at_least_1(params.vector, "vector");
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size() / vector_, out.size() / (times_ * vector_));
        if (firings == 0) return in.size() < vector_ ? WorkStatus::need_input : WorkStatus::need_output;
        T* to = out.data();
        for (std::size_t i = 0; i < firings; ++i) {
            if (vector_ == 1) {
                to = std::fill_n(to, times_, in[i]);
            } else {
                for (std::size_t k = 0; k < times_; ++k) to = std::copy_n(in.data() + i * vector_, vector_, to);
            }
        }
        in.consume(firings * vector_);
        out.produce(firings * times_ * vector_);
        return WorkStatus::ok;
    }

  private:
    std::size_t times_ = 1;
    std::size_t vector_ = 1;
};

}  // namespace weir::blocks
