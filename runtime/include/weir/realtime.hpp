// What the kernel grants of real time to this process: why it refused it, and whether it stopped a worker that had it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "weir/thread.hpp"

namespace weir {

/// Of each CPU, in each period, what threads of real-time policies may have together.
struct RealtimeShare {
    std::int64_t runtime_us = 0, period_us = 0;

    /// 0 … 1; a runtime of -1 is all of it.
    double of_a_cpu() const noexcept;
};

struct RealtimeRights {
    bool capable = false;                       ///< CAP_SYS_NICE
    std::uint64_t highest_priority = 0;         ///< that may be asked for without (RLIMIT_RTPRIO)
    std::optional<RealtimeShare> machine = {};  ///< kernel.sched_rt_runtime_us; absent: the kernel does not tell
    std::optional<RealtimeShare> group = {};  ///< absent: its control group has no share of its own, as with version 2
    std::string group_file = {};  ///< that has the group's
};

/// Of this process. `root`: where /proc and the control groups are looked for.
RealtimeRights realtime_rights(const std::filesystem::path& root = "/");

/// Why `asked` was refused with `error` (errno), and what mends it.
std::string why_refused(const Scheduling& asked, int error, const RealtimeRights& rights);

/// What of the time that a worker of fifo or rr could have run it was stopped because such threads had their share of its
/// CPU. Absent: it was not, or nothing tells. docs/realtime.md has how it is seen.
std::optional<double> throttled_share(const ThreadReport& thread, const RealtimeRights& rights);

}  // namespace weir
