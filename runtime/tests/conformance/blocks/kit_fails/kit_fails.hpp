#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct KitFails {
    struct Params {
        std::int64_t at = -1;
    };
    Params params;

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        if (params.at >= done_ && params.at < done_ + static_cast<std::int64_t>(n)) return WorkStatus::error;
        std::copy_n(in.data(), n, out.data());
        in.consume(n);
        out.produce(n);
        done_ += static_cast<std::int64_t>(n);
        return WorkStatus::ok;
    }

    std::string_view error() const noexcept { return "told to fail"; }

  private:
    std::int64_t done_ = 0;
};

}  // namespace weir::blocks
