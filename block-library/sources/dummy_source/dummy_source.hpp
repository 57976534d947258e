#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct DummySource {
    struct Params {};
    Params params;

    WorkResult work(Out<T>& out) noexcept {
        if (out.size() == 0) return WorkStatus::need_output;
        const auto first = reinterpret_cast<std::uintptr_t>(out.data());
        const Range span{first, first + out.size() * sizeof(T)};
        if (!ranges_[hit_].contains(span)) fill_unseen(out, span);
        // Make the compiler assume that the items of each chunk are written here.
        asm volatile("" : : "r"(out.data()) : "memory");
        out.produce(out.size());
        return WorkStatus::ok;
    }

    void seek(std::uint64_t) noexcept {}

  private:
    /// Addresses of memory that is already filled with ones.
    struct Range {
        std::uintptr_t begin = 0, end = 0;
        bool contains(const Range& r) const noexcept { return begin <= r.begin && r.end <= end; }
        bool touches(const Range& r) const noexcept { return begin <= r.end && r.begin <= end; }
    };

    static constexpr T one() noexcept {
        if constexpr (std::is_same_v<T, c64>) {
            return {1.0F, 1.0F};
        } else {
            return T{1};
        }
    }

    /// Fill the space with ones unless one of the known ranges contains it. Several ranges are remembered, because a
    /// scheduler may offer several buffers in turn.
    void fill_unseen(Out<T>& out, const Range& span) noexcept {
        for (hit_ = 0; hit_ < used_; ++hit_)
            if (ranges_[hit_].contains(span)) return;
        std::fill_n(out.data(), out.size(), one());
        for (hit_ = 0; hit_ < used_; ++hit_) {
            Range& known = ranges_[hit_];
            if (!known.touches(span)) continue;
            known = {std::min(known.begin, span.begin), std::max(known.end, span.end)};
            return;
        }
        if (used_ < ranges_.size()) {
            ++used_;
        } else {
            hit_ = oldest_;
            oldest_ = (oldest_ + 1) % ranges_.size();
        }
        ranges_[hit_] = span;
    }

    std::array<Range, 64> ranges_{};
    std::size_t used_ = 0;
    std::size_t hit_ = 0;
    std::size_t oldest_ = 0;
};

}  // namespace weir::blocks
