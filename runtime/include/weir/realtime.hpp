// Real-time rights of this process: why Linux refused a policy, and whether it throttled a worker.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "weir/thread.hpp"

namespace weir {

/// Time that all threads of real-time policies may use together, of each CPU in each period.
struct RealtimeShare {
    std::int64_t runtime_us = 0, period_us = 0;

    /// Return the share of a CPU, 0 … 1; a runtime of -1 is all of it.
    double of_a_cpu() const noexcept;
};

struct RealtimeRights {
    bool capable = false;                       ///< CAP_SYS_NICE
    std::uint64_t highest_priority = 0;         ///< highest priority allowed without CAP_SYS_NICE (RLIMIT_RTPRIO)
    std::optional<RealtimeShare> machine = {};  ///< kernel.sched_rt_runtime_us; absent: Linux does not report it
    std::optional<RealtimeShare> group = {};  ///< absent: the control group has no share of its own, as in version 2
    std::string group_file = {};  ///< file of the group's share
};

/// Return the rights of this process. `root`: parent of /proc and the control groups.
RealtimeRights realtime_rights(const std::filesystem::path& root = "/");

/// Explain why Linux refused `requested` with `error` (errno), and what helps.
std::string why_refused(const Scheduling& requested, int error, const RealtimeRights& rights);

/// Return the share of a fifo or rr worker's runnable time for which Linux throttled it, because real-time threads had
/// used up their share of the CPU. Absent: Linux did not throttle it, or the counts do not show it. docs/realtime.md
/// explains the method.
std::optional<double> throttled_share(const ThreadReport& thread, const RealtimeRights& rights);

}  // namespace weir
