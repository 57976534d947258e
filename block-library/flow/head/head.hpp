#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct Head {
    struct Params {
        std::int64_t items = 0;
    };
    Params params;

    void start(const BlockContext& context) {
        total_ = params.items > 0 ? static_cast<std::uint64_t>(params.items) : context.run_items;
        seek(0);
    }

    void seek(std::uint64_t index) noexcept {
        left_ = total_ > 0 ? total_ - std::min(total_, index) : std::numeric_limits<std::uint64_t>::max();
    }

    std::optional<std::uint64_t> total_items() const {
        if (total_ == 0) return std::nullopt;
        return total_;
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        if (left_ == 0) return WorkStatus::done;
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(std::min(in.size(), out.size()), left_));
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::copy_n(in.data(), n, out.data());
        in.consume(n);
        out.produce(n);
        left_ -= n;
        return left_ == 0 ? WorkStatus::done : WorkStatus::ok;
    }

  private:
    std::uint64_t total_ = 0;
    std::uint64_t left_ = 0;
};

}  // namespace weir::blocks
