// What a worker asks of the kernel for its thread, and what the kernel says it got.
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

/// What the kernel says about a worker.
struct ThreadReport {
    std::string name;                   ///< the worker's, in full; the kernel keeps 15 bytes of it
    int tid = 0;
    std::vector<int> cpus_granted;      ///< read back
    int cpu = -1;                       ///< where it last ran
    Scheduling scheduling;              ///< read back
    std::string numa;                   ///< read back, as `numa_policy` has it; empty: not told
    double cpu_time_s = 0.0;            ///< this and the following from `begin_accounting` on
    std::int64_t voluntary_switches = -1, involuntary_switches = -1, migrations = -1;  ///< -1: not measured
    std::int64_t run_delay_ns = -1, time_slices = -1;  ///< waited for a CPU, and how often it got one; -1: not measured
    std::string affinity_error, priority_error, slack_error, numa_error;  ///< empty: granted
    std::shared_ptr<CpuCounters> cpu_counters;  ///< null: nobody asked for them
    std::optional<CpuCounts> cpu_counts;
};

// All of the calling thread.

/// On which CPUs it may run, ascending.
std::vector<int> thread_cpus();

/// Keeps it to these CPUs, and those that it makes. Why not all of them, empty where it has them.
std::string keep_thread_to(std::span<const int> cpus);

/// Names, pins and schedules, and reads back what was granted. `cpus` empty: not pinned; policy other: not asked for.
ThreadReport set_up_thread(std::string_view name, std::span<const int> cpus, const Scheduling& asked = {});

/// On which CPUs it may run, where somebody else was to see to that, and whether those asked for are among them.
void read_back_cpus(ThreadReport& report, std::span<const int> asked);

/// Counts from here: what setting the thread up took belongs to no run.
void begin_accounting(ThreadReport& report);

/// Adds what is known at the end: cpu, times, switches, migrations, memory policy.
void account_thread(ThreadReport& report);

}  // namespace weir
