// Calls for kernels whose bits must not depend on the chunks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace weir {

/// Call `kernel(y, x…, items)` only with multiples of kGroup items, with the rest padded with zeros. For kernels that
/// round the items of a vector differently from the odd ones after them (with FMA or without), like some of VOLK's. y
/// is the first x, or overlaps none of them.
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
