// Measures the CPU time that other programs and the hypervisor used during a run, and how long workers waited for a
// CPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/thread.hpp"

namespace weir {

/// Clock ticks since boot.
struct CpuTimes {
    std::uint64_t total = 0, idle = 0, steal = 0;
};

/// CPU times at one moment. Empty if Linux does not report them.
struct MachineReading {
    std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC
    std::int64_t own_ns = 0;  ///< CPU time of this process, all threads
    std::int64_t own_sleeps = 0;  ///< number of times that its threads fell asleep
    std::int64_t ordered_ns = 0;  ///< CPU time of the interference load
    double ticks_per_s = 100;
    CpuTimes all;
    std::map<int, CpuTimes> cpus;
};
/// Read the CPU times. `ordered`: processes of the interference load.
MachineReading read_machine(std::span<const int> ordered = {});

/// Parse the text of /proc/stat. Returns false if it is malformed.
bool read_stat(std::string_view stat, MachineReading& into);

/// Return the share of the machine's CPU time that its hypervisor gave to other guests, 0 … 1. Absent: the interval is
/// too short.
std::optional<double> steal_between(const MachineReading& before, const MachineReading& after);

/// Shares of the time of some CPUs, 0 … 1.
struct OtherPrograms {
    double share = 0;  ///< other processes (without the interference load), kernel threads and interrupts
    double steal = 0;  ///< other guests of the hypervisor
    double uncertainty = 0;  ///< error due to Linux's rounding to ticks
};

/// Return the shares that other programs used of `cpus`. Busy time is the time that was not idle, because Linux
/// measures idle time but only samples the rest. Absent: Linux does not report it.
std::optional<OtherPrograms> other_programs_between(const MachineReading& before, const MachineReading& after,
                                                    std::span<const int> cpus);

/// Return the number of runnable threads of the machine except the caller. `loadavg` is the text of /proc/loadavg.
std::optional<std::uint64_t> others_runnable(std::string_view loadavg);
std::optional<std::uint64_t> others_runnable();

/// Return the CPUs that the workers of the run may use.
std::vector<int> cpus_of(std::span<const ThreadReport> threads);

/// Measurements that show whether a run was disturbed.
struct Conditions {
    std::optional<double> load;  ///< load average over the last minute, at the start
    std::optional<std::uint64_t> runnable;  ///< runnable threads of other programs, at the start
    std::uint64_t cpus = 0;  ///< CPUs of the machine
    std::optional<OtherPrograms> other_programs;
    std::span<const ThreadReport> threads;
    std::int64_t elapsed_ns = 0;
    std::size_t ordered = 0;  ///< processes of the interference load
};

/// Describe the interference and how much there was; "" if there was none. docs/measuring.md has the limits.
std::string describe_interference(const Conditions& conditions);

}  // namespace weir
