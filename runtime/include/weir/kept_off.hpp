// Threads that could run and are given no CPU: that they move nothing says nothing of what they wait for.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace weir {

/// A thread at one moment.
struct ThreadReading {
    bool ready = false;          ///< it runs, or could
    std::int64_t ran_ns = -1;    ///< on a CPU since it was made; -1: the kernel does not tell
};

/// From the texts of `stat` and `schedstat` in the thread's folder of /proc.
ThreadReading thread_reading(std::string_view stat, std::string_view schedstat);

/// Those of this process but the calling one, by their number.
std::map<int, ThreadReading> read_threads();

/// Some thread was ready both times, and did not run in between.
bool some_kept_off(const std::map<int, ThreadReading>& before, const std::map<int, ThreadReading>& after);

}  // namespace weir
