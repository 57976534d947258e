#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/item_for_item.hpp"

namespace weir::blocks {

template <class T> struct Delay {
    struct Params {
        std::int64_t items = 0;
    };
    Params params;

    void start(const BlockContext&) {
        if (params.items < 0) throw std::runtime_error("items must be at least 0");
        held_.assign(static_cast<std::size_t>(params.items), T{});
        oldest_ = 0;
    }

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const auto make = [this](T* y, const T* x, std::size_t n) {
            const std::size_t from_held = std::min(n, held_.size());
            take(y, from_held);
            std::copy_n(x, n - from_held, y + from_held);
            put(x + (n - from_held), from_held);
        };
        return item_for_item(make, out, in);
    }

  private:
    /// Copy the `n` oldest held items. `put` then overwrites them.
    void take(T* to, std::size_t n) const noexcept {
        const std::size_t before_wrap = std::min(n, held_.size() - oldest_);
        std::copy_n(held_.data() + oldest_, before_wrap, to);
        std::copy_n(held_.data(), n - before_wrap, to + before_wrap);
    }

    void put(const T* from, std::size_t n) noexcept {
        const std::size_t before_wrap = std::min(n, held_.size() - oldest_);
        std::copy_n(from, before_wrap, held_.data() + oldest_);
        std::copy_n(from + before_wrap, n - before_wrap, held_.data());
        oldest_ = before_wrap < n || oldest_ + n == held_.size() ? n - before_wrap : oldest_ + n;
    }

    std::vector<T> held_;
    std::size_t oldest_ = 0;
};

}  // namespace weir::blocks
