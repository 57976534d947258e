#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct NullSource {
    struct Params {};
    Params params;

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        std::fill_n(out.data(), out.size(), T{});
        out.produce(out.size());
        return WorkStatus::ok;
    }

    void seek(std::uint64_t) noexcept {}
};

}  // namespace weir::blocks
