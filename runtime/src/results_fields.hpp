// The fields of results.json as a program writes them. Made by codegen/make_results.py of codegen/weir/schema/results.model.json:
// not to be edited.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results_values.hpp"
#include "weir/json_writer.hpp"

namespace weir::fields {

struct Reason {
    Given<std::string_view> code;
    Given<std::string> message;
    void members(JsonWriter& json) const { put(json, "code", code); put(json, "message", message); }
};

struct Window {
    Given<std::int64_t> begin_ns;
    Given<std::int64_t> end_ns;
    void members(JsonWriter& json) const { put(json, "begin_ns", begin_ns); put(json, "end_ns", end_ns); }
};

/// Rates that paced sources offer and that sinks received.
struct Load {
    Given<std::optional<double>> offered_items_per_s;
    Given<std::optional<double>> delivered_items_per_s;
    Given<std::optional<bool>> kept_up;
    void members(JsonWriter& json) const {
        put(json, "offered_items_per_s", offered_items_per_s);
        put(json, "delivered_items_per_s", delivered_items_per_s); put(json, "kept_up", kept_up);
    }
};

struct Sink {
    Given<std::string> id;
    Given<std::uint64_t> items;
    Given<std::optional<std::uint64_t>> expected;
    Given<std::optional<Digest>> digest;
    void members(JsonWriter& json) const {
        put(json, "id", id); put(json, "items", items); put(json, "expected", expected); put(json, "digest", digest);
    }
};

/// Result of the run as a whole.
struct Outcome {
    Given<std::optional<double>> elapsed_s;
    Given<std::optional<double>> window_s;
    Given<std::optional<Window>> window;
    Given<std::uint64_t> warmup_items;
    Given<std::optional<double>> offered_items_per_s;
    Given<std::optional<double>> throughput_items_per_s;
    Given<Load> load;
    Given<std::vector<Sink>> sinks;
    Given<std::optional<std::uint64_t>> tail_items;
    void members(JsonWriter& json) const {
        put(json, "elapsed_s", elapsed_s); put(json, "window_s", window_s); put(json, "window", window);
        put(json, "warmup_items", warmup_items); put(json, "offered_items_per_s", offered_items_per_s);
        put(json, "throughput_items_per_s", throughput_items_per_s); put(json, "load", load);
        put(json, "sinks", sinks); put(json, "tail_items", tail_items);
    }
};

struct Trace {
    Given<std::string_view> backend;
    Given<std::optional<bool>> compiled_in;
    Given<std::optional<std::uint64_t>> events;
    Given<std::optional<std::uint64_t>> discarded;
    Given<std::optional<std::uint64_t>> probe_granularity;
    void members(JsonWriter& json) const {
        put(json, "backend", backend); put(json, "compiled_in", compiled_in); put(json, "events", events);
        put(json, "discarded", discarded); put(json, "probe_granularity", probe_granularity);
        json.null_field("predicted_cost"); json.null_field("cost");
    }
};

struct MetricsCost {
    Given<double> clock_read_ns;
    Given<std::uint64_t> clock_reads;
    Given<std::optional<double>> share;
    void members(JsonWriter& json) const {
        put(json, "clock_read_ns", clock_read_ns); put(json, "clock_reads", clock_reads); put(json, "share", share);
    }
};

struct ItemsPerCall {
    Given<double> p5;
    Given<double> p50;
    Given<double> p95;
    Given<std::optional<std::vector<std::array<std::uint64_t, 2>>>> distribution;
    void members(JsonWriter& json) const {
        put(json, "p5", p5); put(json, "p50", p50); put(json, "p95", p95); put(json, "distribution", distribution);
    }
};

struct Block {
    Given<std::string> id;
    Given<std::optional<std::string>> worker;
    Given<std::optional<std::uint64_t>> calls;
    Given<std::optional<std::uint64_t>> unaligned_calls;
    Given<std::optional<std::uint64_t>> items_in;
    Given<std::optional<std::uint64_t>> items_out;
    Given<std::optional<std::uint64_t>> busy_ns;
    Given<std::optional<ItemsPerCall>> items_per_call;
    void members(JsonWriter& json) const {
        put(json, "id", id); put(json, "worker", worker); put(json, "calls", calls);
        put(json, "unaligned_calls", unaligned_calls); put(json, "items_in", items_in);
        put(json, "items_out", items_out); put(json, "busy_ns", busy_ns); put(json, "items_per_call", items_per_call);
    }
};

/// Shares in bins of equal duration, from the start barrier to the last bin with a sample; null for a bin without
/// samples.
struct FillOverTime {
    Given<std::uint64_t> bin_ns;
    Given<std::vector<std::optional<double>>> mean;
    Given<std::vector<std::optional<double>>> max;
    void members(JsonWriter& json) const {
        put(json, "bin_ns", bin_ns); put(json, "mean", mean); put(json, "max", max);
    }
};

struct Edge {
    Given<std::string> from;
    Given<std::string> to;
    Given<std::uint64_t> buffer_items;
    Given<std::optional<double>> fill_mean;
    Given<std::optional<FillOverTime>> fill_over_time;
    void members(JsonWriter& json) const {
        put(json, "from", from); put(json, "to", to); put(json, "buffer_items", buffer_items);
        put(json, "fill_mean", fill_mean); put(json, "fill_over_time", fill_over_time);
    }
};

/// Scheduling of a thread by Linux.
struct Priority {
    Given<std::string_view> policy;
    Given<std::int64_t> priority;
    Given<std::optional<std::uint64_t>> runtime_us;
    Given<std::optional<std::uint64_t>> deadline_us;
    Given<std::optional<std::uint64_t>> period_us;
    Given<std::optional<std::uint64_t>> timer_slack_ns;
    void members(JsonWriter& json) const {
        put(json, "policy", policy); put(json, "priority", priority); put(json, "runtime_us", runtime_us);
        put(json, "deadline_us", deadline_us); put(json, "period_us", period_us);
        put(json, "timer_slack_ns", timer_slack_ns);
    }
};

/// Counts of perf_event_open(2) from the start barrier on; null if this machine has no such event, does not permit
/// it, never gave it a counter, or if one thread lacks it. N_CPU_COUNTERS says which reason applies.
struct CpuCounters {
    Given<std::optional<std::uint64_t>> cycles;
    Given<std::optional<std::uint64_t>> instructions;
    Given<std::optional<std::uint64_t>> cache_references;
    Given<std::optional<std::uint64_t>> cache_misses;
    Given<std::optional<std::uint64_t>> l1d_load_misses;
    Given<std::optional<std::uint64_t>> branch_misses;
    Given<std::optional<std::uint64_t>> page_faults;
    Given<double> counted;
    Given<bool> user_only;
    void members(JsonWriter& json) const {
        put(json, "cycles", cycles); put(json, "instructions", instructions);
        put(json, "cache_references", cache_references); put(json, "cache_misses", cache_misses);
        put(json, "l1d_load_misses", l1d_load_misses); put(json, "branch_misses", branch_misses);
        put(json, "page_faults", page_faults); put(json, "counted", counted); put(json, "user_only", user_only);
    }
};

struct Thread {
    Given<std::string> name;
    Given<std::uint64_t> tid;
    Given<std::optional<std::uint64_t>> cpu;
    Priority priority;
    Given<std::optional<double>> cpu_time_s;
    Given<std::optional<std::uint64_t>> voluntary_switches;
    Given<std::optional<std::uint64_t>> involuntary_switches;
    Given<std::optional<std::uint64_t>> migrations;
    Given<std::optional<double>> run_delay_s;
    Given<std::optional<CpuCounters>> cpu_counters;
    void members(JsonWriter& json) const {
        put(json, "name", name); put(json, "tid", tid); put(json, "cpu", cpu); priority.members(json);
        put(json, "cpu_time_s", cpu_time_s); put(json, "voluntary_switches", voluntary_switches);
        put(json, "involuntary_switches", involuntary_switches); put(json, "migrations", migrations);
        put(json, "run_delay_s", run_delay_s); put(json, "cpu_counters", cpu_counters);
    }
};

struct PlannedMemory {
    Given<bool> lock;
    Given<bool> hugepages;
    Given<std::string> numa;
    void members(JsonWriter& json) const {
        put(json, "lock", lock); put(json, "hugepages", hugepages); put(json, "numa", numa);
    }
};

struct Planned {
    Given<ByName<std::vector<std::uint64_t>>> affinity;
    Given<ByName<std::uint64_t>> buffers;
    Given<Priority> priority;
    Given<ByName<Priority>> threads;
    Given<PlannedMemory> memory;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "affinity", affinity); put(json, "buffers", buffers); put(json, "priority", priority);
        put(json, "threads", threads); put(json, "memory", memory);
    }
};

struct GrantedMemory {
    Given<std::optional<std::uint64_t>> locked_bytes;
    Given<std::optional<std::uint64_t>> huge_page_bytes;
    Given<ByName<std::optional<std::string>>> numa;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "locked_bytes", locked_bytes); put(json, "huge_page_bytes", huge_page_bytes);
        put(json, "numa", numa);
    }
};

struct Granted {
    Given<ByName<std::vector<std::uint64_t>>> affinity;
    Given<ByName<std::uint64_t>> buffers;
    Given<ByName<Priority>> priority;
    Given<GrantedMemory> memory;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "affinity", affinity); put(json, "buffers", buffers); json.null_field("buffer_limits");
        put(json, "priority", priority); put(json, "memory", memory);
    }
};

struct VolkKernel {
    Given<std::string> kernel;
    Given<std::string> aligned;
    Given<std::string> unaligned;
    void members(JsonWriter& json) const {
        put(json, "kernel", kernel); put(json, "aligned", aligned); put(json, "unaligned", unaligned);
    }
};

struct Volk {
    Given<std::optional<std::string>> machine;
    Given<std::optional<std::string>> implementation;
    Given<std::vector<VolkKernel>> kernels;
    void members(JsonWriter& json) const {
        put(json, "machine", machine); put(json, "implementation", implementation); put(json, "kernels", kernels);
    }
};

/// Machine and its settings during the run; null if not reported.
struct Environment {
    Given<std::optional<std::string>> kernel;
    Given<std::optional<std::string>> cpu;
    Given<std::optional<std::uint64_t>> cpus;
    Given<std::optional<std::string>> governor;
    Given<std::optional<bool>> turbo;
    Given<std::optional<bool>> smt;
    Given<std::optional<std::string>> isolated_cpus;
    Given<ByName<std::string>> mitigations;
    Given<std::optional<std::string>> clock_source;
    Given<std::optional<std::string>> compiler;
    Given<std::optional<std::string>> flags;
    Given<std::optional<bool>> flush_to_zero;
    Given<std::optional<std::array<double, 3>>> load;
    Given<std::optional<std::uint64_t>> runnable;
    Given<std::optional<double>> steal;
    Given<std::optional<double>> other_programs;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "kernel", kernel); put(json, "cpu", cpu); put(json, "cpus", cpus); put(json, "governor", governor);
        put(json, "turbo", turbo); put(json, "smt", smt); put(json, "isolated_cpus", isolated_cpus);
        put(json, "mitigations", mitigations); put(json, "clock_source", clock_source);
        put(json, "compiler", compiler); put(json, "flags", flags); put(json, "flush_to_zero", flush_to_zero);
        json.null_field("timer_hz"); json.null_field("volk_machine"); json.null_field("git_revision");
        put(json, "load", load); put(json, "runnable", runnable); put(json, "steal", steal);
        put(json, "other_programs", other_programs);
    }
};

struct SpeedCheck {
    Given<std::optional<std::uint64_t>> cpu;
    Given<double> seconds;
    Given<double> before_items_per_s;
    Given<std::optional<double>> after_items_per_s;
    void members(JsonWriter& json) const {
        put(json, "cpu", cpu); put(json, "seconds", seconds); put(json, "before_items_per_s", before_items_per_s);
        put(json, "after_items_per_s", after_items_per_s);
    }
};

struct Clocks {
    Given<double> monotonic_s;
    Given<double> raw_s;
    Given<double> boot_s;
    Given<double> wall_s;
    void members(JsonWriter& json) const {
        put(json, "monotonic_s", monotonic_s); put(json, "raw_s", raw_s); put(json, "boot_s", boot_s);
        put(json, "wall_s", wall_s);
    }
};

struct EnergyZone {
    Given<std::string> name;
    Given<std::optional<double>> joules;
    void members(JsonWriter& json) const { put(json, "name", name); put(json, "joules", joules); }
};

/// Energy of the whole machine, including other processes and idling, from just before the start barrier until the
/// workers have left and the blocks have stopped.
struct Energy {
    Given<double> interval_s;
    Given<std::optional<double>> joules;
    Given<std::optional<double>> items_per_joule;
    Given<std::vector<EnergyZone>> zones;
    Given<std::optional<std::string>> why_not;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "interval_s", interval_s); put(json, "joules", joules);
        put(json, "items_per_joule", items_per_joule); put(json, "zones", zones); put(json, "why_not", why_not);
    }
};

struct StuckBlock {
    Given<std::string> id;
    Given<std::string> state;
    Given<std::vector<std::string>> waits_for;
    void members(JsonWriter& json) const {
        put(json, "id", id); put(json, "state", state); put(json, "waits_for", waits_for);
    }
};

struct StuckStream {
    Given<std::string> name;
    Given<std::uint64_t> fill;
    Given<std::uint64_t> capacity;
    void members(JsonWriter& json) const {
        put(json, "name", name); put(json, "fill", fill); put(json, "capacity", capacity);
    }
};

struct Watchdog {
    Given<std::string> cause;
    Given<std::vector<StuckBlock>> blocks;
    Given<std::vector<StuckStream>> streams;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "cause", cause); put(json, "blocks", blocks); put(json, "streams", streams);
    }
};

struct VerifiedSink {
    Given<std::string> id;
    Given<bool> ok;
    Given<std::uint64_t> items;
    Given<std::uint64_t> reference_items;
    Given<std::optional<Digest>> digest;
    Given<std::optional<Digest>> reference_digest;
    void members(JsonWriter& json) const {
        put(json, "id", id); put(json, "ok", ok); put(json, "items", items);
        put(json, "reference_items", reference_items); put(json, "digest", digest);
        put(json, "reference_digest", reference_digest); json.null_field("error_ulp"); json.null_field("bound_ulp");
    }
};

struct Verification {
    Given<bool> ok;
    Given<std::uint64_t> items;
    Given<std::string> reference;
    Given<std::optional<std::string>> scheduler;
    Given<std::vector<VerifiedSink>> sinks;
    Given<std::string> message;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        put(json, "ok", ok); put(json, "items", items); put(json, "reference", reference);
        put(json, "scheduler", scheduler); json.null_field("binary_hash"); put(json, "sinks", sinks);
        put(json, "message", message);
    }
};

/// The program writes this file, and the runner adds the facts that only it knows. Values that were not measured are
/// null.
struct Results {
    Given<std::string> weir_version;
    Given<std::string> run_id;
    Given<std::string> project_hash;
    Given<std::string> plan_hash;
    Given<std::string> project;
    Given<std::string> deployment;
    Given<std::string> scheduler;
    Given<ByName<Json>> parameters;
    Given<std::int64_t> seed;
    Given<std::uint64_t> items;
    Given<std::uint64_t> repetition;
    Given<std::string_view> status;
    Given<std::vector<Reason>> reasons;
    Outcome outcome;
    Given<Trace> trace;
    Given<std::string_view> metrics;
    Given<std::optional<MetricsCost>> metrics_cost;
    Given<std::vector<Block>> blocks;
    Given<std::vector<Edge>> edges;
    Given<std::vector<Thread>> threads;
    Given<std::optional<CpuCounters>> cpu_counters;
    Given<std::optional<Planned>> planned;
    Given<Granted> granted;
    Given<std::optional<Volk>> volk;
    Given<Environment> environment;
    Given<std::optional<SpeedCheck>> speed_check;
    Given<std::optional<Clocks>> clocks;
    Given<std::optional<Energy>> energy;
    Given<std::optional<Watchdog>> watchdog;
    Given<std::optional<Verification>> verification;
    static constexpr bool kBlock = true;
    void members(JsonWriter& json) const {
        json.field("schema_version", 1); put(json, "weir_version", weir_version); put(json, "run_id", run_id);
        put(json, "project_hash", project_hash); put(json, "plan_hash", plan_hash); json.null_field("binary_hash");
        put(json, "project", project); put(json, "deployment", deployment); put(json, "scheduler", scheduler);
        put(json, "parameters", parameters); put(json, "seed", seed); put(json, "items", items);
        put(json, "repetition", repetition); put(json, "status", status); put(json, "reasons", reasons);
        outcome.members(json); json.null_field("latency"); json.null_field("latency_pairs"); json.null_field("hops");
        json.null_field("response"); json.null_field("causes"); put(json, "trace", trace);
        put(json, "metrics", metrics); put(json, "metrics_cost", metrics_cost); put(json, "blocks", blocks);
        put(json, "edges", edges); put(json, "threads", threads); put(json, "cpu_counters", cpu_counters);
        json.null_field("requested"); put(json, "planned", planned); put(json, "granted", granted);
        put(json, "volk", volk); put(json, "environment", environment); put(json, "speed_check", speed_check);
        put(json, "clocks", clocks); put(json, "energy", energy); json.null_field("interference");
        put(json, "watchdog", watchdog); put(json, "verification", verification); json.null_field("coordinates");
        json.null_field("runtime");
    }
};

}  // namespace weir::fields
