#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/block.hpp"
#include "weir/checks.hpp"

namespace weir::blocks {

template <class T> struct StreamMux {
    struct Params {
        std::int64_t first = 1;
        std::int64_t second = 1;
    };
    Params params;

    void start(const BlockContext&) {
        first_ = at_least_1(params.first, "first");
        second_ = at_least_1(params.second, "second");
    }

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept {
        const std::size_t firings =
            std::min({in0.size() / first_, in1.size() / second_, out.size() / (first_ + second_)});
        if (firings == 0)
            return in0.size() < first_ || in1.size() < second_ ? WorkStatus::need_input : WorkStatus::need_output;
        T* to = out.data();
        for (std::size_t i = 0; i < firings; ++i) {
            to = std::copy_n(in0.data() + i * first_, first_, to);
            to = std::copy_n(in1.data() + i * second_, second_, to);
        }
        in0.consume(firings * first_);
        in1.consume(firings * second_);
        out.produce(firings * (first_ + second_));
        return WorkStatus::ok;
    }

  private:
    std::size_t first_ = 1;
    std::size_t second_ = 1;
};

}  // namespace weir::blocks
