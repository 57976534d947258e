// Places at which a test build lets another thread in, so that rare interleavings become common ones.
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

/// Threads that start from now on draw from this seed.
inline void seed_yields(std::uint64_t seed) noexcept { detail::yield_seed.store(seed, std::memory_order_relaxed); }

/// Gives the processor away at one call of 32, and sleeps at one of 1024. A thread of its own draws for each thread.
inline void yield_point() noexcept {
    // Relaxed throughout: a yield must not order anything for the thread sanitizer that the code does not order itself.
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
