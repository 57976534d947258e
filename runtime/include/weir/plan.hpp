// The plan of one deployment as data. The generator writes it into the program; nothing here is decided at run time. Tasks go
// by their index, upstream first; the lists that are pointed to outlive the plan (`lists.hpp`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weir/kernel_library.hpp"
#include "weir/lists.hpp"

namespace weir {

enum class WaitPolicy : std::uint8_t { spin, yield, park };
enum class SchedulingPolicy : std::uint8_t { other, fifo, rr, deadline };
/// `not_enabled`: the tracepoints are called, and no session enables them; `compiled_out`: a program without probes.
enum class TraceBackend : std::uint8_t { off, memory, lttng, not_enabled, compiled_out };
/// Whether anything is done at a boundary.
constexpr bool has_probes(TraceBackend backend) noexcept {
    return backend != TraceBackend::off && backend != TraceBackend::compiled_out;
}
enum class Metrics : std::uint8_t { none, counters, profile };
enum class StreamKind : std::uint8_t { linear, ring };

/// How the kernel is to run a thread, or does.
struct Scheduling {
    SchedulingPolicy policy = SchedulingPolicy::other;
    int priority = 0;  ///< of fifo and rr
    std::uint64_t runtime_us = 0, deadline_us = 0, period_us = 0;  ///< of deadline
    /// Of other alone. The kernel's own 50 us would be added to every timed wait of a paced source.
    std::uint64_t timer_slack_ns = 1;

    bool operator==(const Scheduling&) const = default;
};

/// One worker (thread): where it may run and which tasks it runs, in this order.
struct WorkerSpec {
    std::string_view name;
    std::span<const int> cpus = {};  ///< empty: not pinned
    std::span<const std::uint32_t> tasks = {};  ///< upstream to downstream; empty where the plan has jobs
    /// Of each worker from this one, itself 0, the nearest 1; empty: all others are equally near.
    std::span<const std::uint32_t> distances = {};
    std::optional<Scheduling> scheduling = {};  ///< absent: the plan's
};

/// Tasks that go together from worker to worker.
struct JobSpec {
    std::string_view name;
    std::span<const std::uint32_t> tasks;  ///< upstream to downstream
};

struct MemorySpec {
    bool lock = false;  ///< mlockall
    bool hugepages = false;  ///< transparent huge pages are asked for on stream buffers
    std::string_view numa = "";  ///< "" | "local" | "interleave" | a node number
};

/// Names of what must be granted, else the result is invalid: `affinity`, `priority`, `memory_lock`.
using Requirements = std::vector<std::string_view>;

/// Defaults of a run; the command line overrides each.
struct RunSpec {
    std::uint64_t items = 0;  ///< a source (or its head) ends after so many; 0 = no limit
    std::uint64_t warmup_items = 0;  ///< a sink's items before the window opens
    std::uint64_t seed = 1;
    double timeout_s = 60.0;
    Metrics metrics = Metrics::counters;
    bool cpu_counters = false;  ///< events of the CPU are counted, by worker
    TraceBackend trace = TraceBackend::memory;
    std::vector<std::string_view> events;  ///< beyond tx and rx: work, park, steal
};

struct Plan {
    std::string_view weir_version;
    std::string_view project;
    std::string_view deployment;
    std::string_view scheduler;
    std::string_view project_hash;
    std::string_view plan_hash;
    std::string_view build_flags;  ///< as handed to the compiler, for results.json
    WaitPolicy wait = WaitPolicy::park;
    /// This and what follows up to the slack: of workers without a `scheduling` of their own.
    SchedulingPolicy policy = SchedulingPolicy::other;
    int priority = 0;
    std::uint64_t runtime_us = 0, deadline_us = 0, period_us = 0;
    std::uint64_t timer_slack_ns = Scheduling{}.timer_slack_ns;
    MemorySpec memory;
    KernelLibrary volk = {};
    bool alignment = false;  ///< calls are offered what keeps or restores the alignment of their items
    Requirements require;
    std::vector<WorkerSpec> workers;
    /// Times that the tasks are there, to do the same with other items; each worker has the next of them. Whatever goes by an index
    /// goes by that of the first ones.
    std::size_t replicas = 1;
    std::vector<JobSpec> jobs = {};  ///< empty: each worker runs its own tasks
    /// Tasks whose output is the throughput: the sources, or the heads right behind them.
    std::vector<std::uint32_t> metered;
    RunSpec run;

    Scheduling scheduling() const { return {policy, priority, runtime_us, deadline_us, period_us, timer_slack_ns}; }
    Scheduling scheduling_of(const WorkerSpec& worker) const { return worker.scheduling.value_or(scheduling()); }
};

}  // namespace weir
