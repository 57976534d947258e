// The atomics on which the runtime's arguments about memory orders rest: those of the standard library, and those of a model
// checker where the same headers are checked (`tests/check_orders.cpp`). Counters that order nothing are `std::atomic`.
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
