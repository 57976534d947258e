// What else used the machine while a run went: other processes, the hypervisor, and how long workers waited for a CPU.
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

/// The CPUs at one moment. Empty where the kernel does not tell.
struct MachineReading {
    std::int64_t time_ns = 0;        ///< CLOCK_MONOTONIC
    std::int64_t own_ns = 0;         ///< CPU time of this process, all threads
    std::int64_t own_sleeps = 0;     ///< how often one of these fell asleep
    std::int64_t ordered_ns = 0;     ///< CPU time of the processes that are to disturb it
    double ticks_per_s = 100;
    CpuTimes all;
    std::map<int, CpuTimes> cpus;
};
/// `ordered`: processes that are there to disturb the run.
MachineReading read_machine(std::span<const int> ordered = {});

/// `stat` is the text of /proc/stat. False: it is not as the kernel writes it.
bool read_stat(std::string_view stat, MachineReading& into);

/// Share of the machine's CPU time that its hypervisor gave to others, 0 … 1. Absent: too short to tell.
std::optional<double> steal_between(const MachineReading& before, const MachineReading& after);

/// Shares of the time of some CPUs, 0 … 1.
struct OtherPrograms {
    double share = 0;  ///< other processes but those that are ordered, the kernel's threads and interrupts
    double steal = 0;  ///< other guests of the hypervisor
    double uncertainty = 0;  ///< what the kernel's rounding to ticks can make of nothing
};

/// Who else had `cpus`. Busy is what was not idle: the kernel measures idle time and only samples the rest. Absent: the
/// kernel does not tell.
std::optional<OtherPrograms> other_programs_between(const MachineReading& before, const MachineReading& after,
                                                    std::span<const int> cpus);

/// Threads of the machine that can run at this moment, without the caller's. `loadavg` is the text of /proc/loadavg.
std::optional<std::uint64_t> others_runnable(std::string_view loadavg);
std::optional<std::uint64_t> others_runnable();

/// Each CPU that a worker of the run may use, once.
std::vector<int> cpus_of(std::span<const ThreadReport> threads);

/// What is known of a run that may have been disturbed.
struct Conditions {
    std::optional<double> load;  ///< of the last minute, at the start
    std::optional<std::uint64_t> runnable;  ///< others, at the start
    std::uint64_t cpus = 0;  ///< of the machine
    std::optional<OtherPrograms> others;
    std::span<const ThreadReport> threads;
    std::int64_t elapsed_ns = 0;
    std::size_t ordered = 0;  ///< processes that are there to disturb it
};

/// What disturbed it and how much, in words; "" where nothing did. docs/measuring.md has the limits.
std::string describe_interference(const Conditions& conditions);

}  // namespace weir
