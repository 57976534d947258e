// Computes how many firings a call is offered so that the items of its ports stay aligned or become aligned again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/memory.hpp"

namespace weir {

/// Bytes of the widest vectors, and the alignment that VOLK needs on any machine. Buffers begin at a multiple of it.
inline constexpr std::size_t kAlignment = kCacheLine;

/// Return whether all of these items begin at aligned addresses.
template <class... T> bool are_aligned(const T*... items) noexcept {
    return ((reinterpret_cast<std::uintptr_t>(items) | ... | std::uintptr_t{0}) % kAlignment) == 0;
}

/// Position of a port's next item and length of a firing, in bytes. Both 0: nothing is connected.
struct PortStep {
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
};

/// Return the largest number of firings, at most `all`, after which every port is aligned. Returns `all` if there is no
/// such number, because items that cannot be aligned are passed on at once.
template <std::size_t N>
constexpr std::size_t aligned_firings(std::size_t all, const std::array<PortStep, N>& ports) noexcept {
    for (std::size_t firings = all; firings > 0 && all - firings < kAlignment; --firings) {
        if (std::ranges::all_of(
                ports, [=](const PortStep& port) { return (port.at + firings * port.bytes) % kAlignment == 0; }))
            return firings;
    }
    return all;
}

}  // namespace weir
