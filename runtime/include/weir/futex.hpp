// Sleeping and waking through Linux.
#pragma once

#include <cstdint>
#include <limits>

#include "weir/atomic.hpp"

namespace weir {

/// Wait without a time limit.
inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// Sleep if `word` is still `value`, until another thread wakes it or CLOCK_MONOTONIC reaches `until_ns`. May wake
/// spuriously. The check and falling asleep are atomic with respect to `futex_wake_one`.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t until_ns) noexcept;
void futex_wake_one(atomic<std::uint32_t>& word) noexcept;

}  // namespace weir
