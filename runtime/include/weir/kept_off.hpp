// Detects threads that are ready to run but get no CPU. Such threads move no items, but they are not stalled.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace weir {

/// State of a thread at one moment.
struct ThreadReading {
    bool ready = false;          ///< running or runnable
    std::int64_t ran_ns = -1;    ///< CPU time since its start; -1: Linux does not report it
};

/// Parse the texts of `stat` and `schedstat` in the thread's folder of /proc.
ThreadReading thread_reading(std::string_view stat, std::string_view schedstat);

/// Read all threads of this process except the calling one, by thread id.
std::map<int, ThreadReading> read_threads();

/// Return whether some thread was ready both times but did not run in between.
bool some_kept_off(const std::map<int, ThreadReading>& before, const std::map<int, ThreadReading>& after);

}  // namespace weir
