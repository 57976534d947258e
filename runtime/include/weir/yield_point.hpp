// Points at which a test build lets another thread run, so that rare interleavings become common.
#pragma once

#include <cstdint>

#ifdef WEIR_FORCED_YIELDS
#include <sched.h>
#include <time.h>

#include <atomic>
#endif

namespace weir {

#ifdef WEIR_FORCED_YIELDS

inline constexpr bool kForcedYields = true;

namespace detail {
inline std::atomic<std::uint64_t> yield_seed{1};
}

/// Set the seed for threads that start from now on.
inline void seed_yields(std::uint64_t seed) noexcept { detail::yield_seed.store(seed, std::memory_order_relaxed); }

/// Yield in one of 32 calls, and sleep in one of 1024. Each thread draws separately.
inline void yield_point() noexcept {
    // Relaxed throughout: a yield must not hide a missing order from the thread sanitizer.
    thread_local std::uint64_t state =
        detail::yield_seed.fetch_add(0x9E3779B97F4A7C15U, std::memory_order_relaxed) | 1U;
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    const std::uint64_t draw = state >> 32U;
    if (draw % 1024 == 0) {
        const timespec nap{0, static_cast<long>(draw / 1024 % 50'000)};
        ::nanosleep(&nap, nullptr);
    } else if (draw % 32 == 0) {
        ::sched_yield();
    }
}

#else

inline constexpr bool kForcedYields = false;
inline void seed_yields(std::uint64_t) noexcept {}
inline void yield_point() noexcept {}

#endif

}  // namespace weir
