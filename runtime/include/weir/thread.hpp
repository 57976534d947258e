// Settings that a worker requests from Linux for its thread, and those that Linux grants.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/cpu_counters.hpp"
#include "weir/plan.hpp"

namespace weir {

/// Report about a worker's thread.
struct ThreadReport {
    std::string name;                   ///< the worker's full name; Linux keeps 15 bytes of it
    int tid = 0;
    std::vector<int> cpus_granted;      ///< read back
    int cpu = -1;                       ///< CPU at its end
    Scheduling scheduling;              ///< read back
    std::string numa;                   ///< read back in the format of `numa_policy`; empty: unknown
    double cpu_time_s = 0.0;            ///< this and the following from `begin_accounting` on
    std::int64_t voluntary_switches = -1, involuntary_switches = -1, migrations = -1;  ///< -1: not measured
    std::int64_t run_delay_ns = -1, time_slices = -1;  ///< wait for a CPU, and number of time slices; -1: not measured
    std::string affinity_error, priority_error, slack_error, numa_error;  ///< empty: granted
    std::shared_ptr<CpuCounters> cpu_counters;  ///< null: not requested
    std::optional<CpuCounts> cpu_counts;
};

// These functions concern the calling thread.

/// Return the CPUs on which the thread may run, ascending.
std::vector<int> thread_cpus();

/// Restrict the thread, and its later children, to these CPUs. Returns "", or why some of them were not granted.
std::string keep_thread_to(std::span<const int> cpus);

/// Name, pin and schedule the thread, and read back what was granted. `cpus` empty: do not pin; policy other: request
/// none.
ThreadReport set_up_thread(std::string_view name, std::span<const int> cpus, const Scheduling& requested = {});

/// Read back the CPUs of a thread that a peer runtime pinned, and report requested CPUs that are missing.
void read_back_cpus(ThreadReport& report, std::span<const int> requested);

/// Start counting. The set-up of the thread before this call does not belong to the run.
void begin_accounting(ThreadReport& report);

/// Add the values known at the end: CPU, times, switches, migrations, memory policy.
void account_thread(ThreadReport& report);

}  // namespace weir
