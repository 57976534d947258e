#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/checks.hpp"

namespace weir::blocks {

template <class T> struct StreamDemux {
    struct Params {
        std::int64_t first = 1;
        std::int64_t second = 1;
    };
    Params params;

    void start(const BlockContext&) {
        first_ = at_least_1(params.first, "first");
        second_ = at_least_1(params.second, "second");
    }

    WorkResult work(In<T>& in, Out<T>& out0, Out<T>& out1) noexcept {
        const std::size_t group = first_ + second_;
        const std::size_t firings = std::min({in.size() / group, out0.size() / first_, out1.size() / second_});
        if (firings == 0) return in.size() < group ? WorkStatus::need_input : WorkStatus::need_output;
        for (std::size_t i = 0; i < firings; ++i) {
            const T* from = in.data() + i * group;
            std::copy_n(from, first_, out0.data() + i * first_);
            std::copy_n(from + first_, second_, out1.data() + i * second_);
        }
        in.consume(firings * group);
        out0.produce(firings * first_);
        out1.produce(firings * second_);
        return WorkStatus::ok;
    }

  private:
    std::size_t first_ = 1;
    std::size_t second_ = 1;
};

}  // namespace weir::blocks
