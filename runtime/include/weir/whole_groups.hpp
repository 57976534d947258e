// Calls for kernels whose bits must not depend on the chunks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace weir {

/// Call `kernel(y, x…, items)` only with multiples of kGroup items, and pad the rest with zeros. For kernels, such as
/// some of VOLK's, that round the items of a vector differently from the odd ones after it (with FMA or without). y is
/// the first x, or overlaps no x.
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
