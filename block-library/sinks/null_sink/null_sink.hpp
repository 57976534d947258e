#pragma once

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct NullSink {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in) noexcept {
        if (in.size() == 0) return WorkStatus::need_input;
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

}  // namespace weir::blocks
