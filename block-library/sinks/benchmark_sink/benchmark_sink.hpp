#pragma once

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct BenchmarkSink {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in) noexcept {
        if (in.size() == 0) return WorkStatus::need_input;
        // Make the compiler assume that the items of each chunk are read here. Otherwise it may drop their computation.
        asm volatile("" : : "r"(in.data()) : "memory");
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
