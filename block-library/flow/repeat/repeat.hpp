#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct Repeat {
    struct Params {
        std::int64_t n = 1;
        std::int64_t vector = 1;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.n < 1) throw std::runtime_error("n must be at least 1");
        if (params.vector < 1) throw std::runtime_error("vector must be at least 1");
        times_ = static_cast<std::size_t>(params.n);
        vector_ = static_cast<std::size_t>(params.vector);
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
