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
    };
    Params params;

    void start(const BlockContext&) {
        if (params.n < 1) throw std::runtime_error("n must be at least 1");
        times_ = static_cast<std::size_t>(params.n);
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t firings = std::min(in.size(), out.size() / times_);
        if (firings == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t i = 0; i < firings; ++i) std::fill_n(out.data() + i * times_, times_, in[i]);
        in.consume(firings);
        out.produce(firings * times_);
        return WorkStatus::ok;
    }

  private:
    std::size_t times_ = 1;
};

}  // namespace weir::blocks
