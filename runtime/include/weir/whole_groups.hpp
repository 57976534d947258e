// Kernels whose bits shall not depend on how a stream is cut.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace weir {

/// Calls `kernel(y, x…, items)` with multiples of kGroup items alone; what is left over is padded with zeros. For
/// kernels that round the items of a vector and the odd ones behind them differently (with FMA or without), as some of
/// VOLK's do. y is the first x, or overlaps none of them.
template <std::size_t kGroup = 16, class Kernel, class Y, class... X>
void in_whole_groups(Kernel kernel, std::size_t n, Y* y, const X*... x) noexcept {
    const std::size_t whole = n - n % kGroup;
    kernel(y, x..., static_cast<unsigned>(whole));
    if (whole == n) return;
    const auto rest = [whole, n]<class Item>(const Item* items) {
        std::array<Item, kGroup> padded{};
        std::copy(items + whole, items + n, padded.begin());
        return padded;
    };
    std::array<Y, kGroup> result{};
    kernel(result.data(), rest(x).data()..., static_cast<unsigned>(kGroup));
    std::copy_n(result.begin(), n - whole, y + whole);
}

}  // namespace weir
