// How many firings a call is offered where the items of its ports are to stay aligned, or to be aligned again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/memory.hpp"

namespace weir {

/// Bytes: of the widest vectors, and of what VOLK asks for on any machine. Buffers begin at a multiple of it.
inline constexpr std::size_t kAlignment = kCacheLine;

/// Where a port's next item lies, and how far on a firing leads, in bytes. Neither: nothing is connected.
struct PortStep {
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
};

/// The most firings, `all` at most, behind which every port is aligned. Where there is no such number it is `all`: what cannot
/// be aligned is passed on at once.
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
