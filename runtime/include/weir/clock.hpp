// Clock of a run: CLOCK_MONOTONIC, which LTTng traces and timed futex waits use as well.
#pragma once

#include <time.h>

#include <cstdint>

namespace weir {

inline std::int64_t monotonic_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace weir
