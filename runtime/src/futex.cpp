#include "weir/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace weir {
namespace {

timespec to_timespec(std::int64_t ns) noexcept {
    constexpr std::int64_t kSecond = 1'000'000'000;
    return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}

long futex(atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* until) noexcept {
    static_assert(sizeof word == sizeof(std::uint32_t));
    return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG, value, until,
                     nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

void futex_wait(atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t until_ns) noexcept {
    // FUTEX_WAIT_BITSET rather than FUTEX_WAIT: its time is absolute and on CLOCK_MONOTONIC, so nothing drifts.
    const timespec until = to_timespec(std::max<std::int64_t>(until_ns, 0));
    futex(word, FUTEX_WAIT_BITSET, value, until_ns == kForever ? nullptr : &until);
}

void futex_wake_one(atomic<std::uint32_t>& word) noexcept { futex(word, FUTEX_WAKE_BITSET, 1, nullptr); }

}  // namespace weir
