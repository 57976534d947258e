// Plan of one deployment as data, which the generator writes into the program. The program decides none of it at run
// time. Tasks are numbered from upstream. The lists behind the views must outlive the plan (`lists.hpp`).
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
/// `not_enabled`: the tracepoints are called but no session enables them; `compiled_out`: a program without probes.
enum class TraceBackend : std::uint8_t { off, memory, lttng, not_enabled, compiled_out };
/// Return whether the back-end has probes at boundaries.
constexpr bool has_probes(TraceBackend backend) noexcept {
    return backend != TraceBackend::off && backend != TraceBackend::compiled_out;
}
enum class Metrics : std::uint8_t { none, counters, profile };
enum class StreamKind : std::uint8_t { linear, ring };

/// Scheduling of a thread, requested or granted.
struct Scheduling {
    SchedulingPolicy policy = SchedulingPolicy::other;
    int priority = 0;  ///< for fifo and rr
    std::uint64_t runtime_us = 0, deadline_us = 0, period_us = 0;  ///< for deadline
    /// For other only. Linux's default of 50 us would delay every timed wait of a paced source.
    std::uint64_t timer_slack_ns = 1;

    bool operator==(const Scheduling&) const = default;
};

/// Worker (thread): its CPUs, and the tasks that it runs in this order.
struct WorkerSpec {
    std::string_view name;
    std::span<const int> cpus = {};  ///< empty: not pinned
    std::span<const std::uint32_t> tasks = {};  ///< upstream to downstream; empty where the plan has jobs
    /// Distance from this worker to each worker: 0 to itself, 1 to the nearest. Empty: all are equally near.
    std::span<const std::uint32_t> distances = {};
    std::optional<Scheduling> scheduling = {};  ///< absent: the plan's scheduling
};

/// Tasks that move together between workers.
struct JobSpec {
    std::string_view name;
    std::span<const std::uint32_t> tasks;  ///< upstream to downstream
};

struct MemorySpec {
    bool lock = false;  ///< mlockall
    bool hugepages = false;  ///< request transparent huge pages for stream buffers
    std::string_view numa = "";  ///< "" | "local" | "interleave" | a node number
};

/// Settings that Linux must grant, else the result is invalid: `affinity`, `priority`, `memory_lock`.
using Requirements = std::vector<std::string_view>;

/// Defaults of a run, which the command line overrides.
struct RunSpec {
    std::uint64_t items = 0;  ///< a source (or its head) ends after this many items; 0 = no limit
    std::uint64_t warmup_items = 0;  ///< items that a sink receives before the window opens
    std::uint64_t seed = 1;
    double timeout_s = 60.0;
    Metrics metrics = Metrics::counters;
    bool cpu_counters = false;  ///< count CPU events of each worker
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
    std::string_view build_flags;  ///< compiler flags, for results.json
    WaitPolicy wait = WaitPolicy::park;
    /// Policy, priority and slack of workers without their own `scheduling`.
    SchedulingPolicy policy = SchedulingPolicy::other;
    int priority = 0;
    std::uint64_t runtime_us = 0, deadline_us = 0, period_us = 0;
    std::uint64_t timer_slack_ns = Scheduling{}.timer_slack_ns;
    MemorySpec memory;
    KernelLibrary volk = {};
    bool alignment = false;  ///< offer calls that keep or restore the alignment of their items
    Requirements require;
    std::vector<WorkerSpec> workers;
    /// Number of replicas of the tasks. Each replica processes other items, on the next worker. Indices in the plan are
    /// those of the first replica.
    std::size_t replicas = 1;
    std::vector<JobSpec> jobs = {};  ///< empty: each worker runs its own tasks
    /// Tasks whose output is the throughput: the sources, or the heads right behind them.
    std::vector<std::uint32_t> metered;
    RunSpec run;

    Scheduling scheduling() const { return {policy, priority, runtime_us, deadline_us, period_us, timer_slack_ns}; }
    Scheduling scheduling_of(const WorkerSpec& worker) const { return worker.scheduling.value_or(scheduling()); }
};

}  // namespace weir
