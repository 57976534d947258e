// The kernel's part of a sleep.
#pragma once

#include <cstdint>
#include <limits>

#include "weir/atomic.hpp"

namespace weir {

/// No time limit of a wait.
inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// Sleeps if `word` is still `value`, until somebody wakes whoever sleeps on it or CLOCK_MONOTONIC is `until_ns`. May wake for no
/// reason. That it looks and falls asleep is one step for `futex_wake_one`.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t until_ns) noexcept;
void futex_wake_one(atomic<std::uint32_t>& word) noexcept;

}  // namespace weir
