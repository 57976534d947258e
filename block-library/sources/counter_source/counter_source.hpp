#pragma once

#include <cstdint>

#include "weir/block.hpp"
#include "weir/pattern.hpp"

namespace weir::blocks {

template <class T> struct CounterSource {
    struct Params {};
    Params params;

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        CounterPattern<T>::fill(out.data(), out.size(), index_);
        index_ += out.size();
        out.produce(out.size());
        return WorkStatus::ok;
    }

    void seek(std::uint64_t index) noexcept { index_ = index; }

  private:
    std::uint64_t index_ = 0;
};

}  // namespace weir::blocks
