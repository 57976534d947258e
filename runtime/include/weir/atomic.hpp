// Atomics on which the runtime's memory-order arguments rest: std::atomic, or those of a model checker in
// `tests/check_orders.cpp`. Counters that order nothing are always `std::atomic`.
#pragma once

#ifdef WEIR_CHECKED_ATOMICS
#include "checked_atomic.hpp"
#else
#include <atomic>

namespace weir {

inline constexpr bool kCheckedAtomics = false;

template <class T> using atomic = std::atomic<T>;

inline void fence(std::memory_order order) noexcept { std::atomic_thread_fence(order); }

}  // namespace weir
#endif
