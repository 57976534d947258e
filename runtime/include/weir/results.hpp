// Measurements of one run. src/results_fields.hpp defines which of them are written. A value that was not measured is
// absent here and null there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/clock_check.hpp"
#include "weir/cpu_counters.hpp"
#include "weir/energy.hpp"
#include "weir/environment.hpp"
#include "weir/fill_series.hpp"
#include "weir/options.hpp"
#include "weir/plan.hpp"
#include "weir/reasons.hpp"
#include "weir/trace.hpp"
#include "weir/window.hpp"

namespace weir {

/// Speed check on the first worker's CPU, just before and just after the run.
struct SpeedCheckResult {
    int cpu = -1;                           ///< CPU of the last check
    double seconds = 0;                     ///< duration of each check
    double before_items_per_s = 0;
    std::optional<double> after_items_per_s;  ///< absent: the run did not end normally
};

/// Cost of reading the clock around every call (Metrics::profile).
struct MetricsCost {
    double clock_read_ns = 0;
    std::uint64_t clock_reads = 0;
    std::optional<double> share;            ///< share of the workers' CPU time
};

struct SinkResult {
    std::string id;
    std::uint64_t items = 0;
    std::optional<std::uint64_t> expected;
    std::optional<std::uint64_t> digest;
};

struct ItemsPerCall {
    double p5 = 0, p50 = 0, p95 = 0;
    std::vector<std::array<std::uint64_t, 2>> distribution;  ///< pairs from `histogram::filled`
};

struct BlockResult {
    std::string id;
    std::optional<std::string> worker;      ///< absent: the block moves between workers
    std::optional<std::uint64_t> items_in, items_out;
    std::optional<std::uint64_t> calls, unaligned_calls, busy_ns;
    std::optional<ItemsPerCall> items_per_call;
};

struct EdgeResult {
    std::string from, to;                   ///< `instance.port`
    std::uint64_t buffer_items = 0;
    std::optional<double> fill_mean;        ///< mean share of the buffer that held items, 0 … 1
    std::optional<FillOverTime> fill_over_time;
};

struct ThreadResult {
    std::string name;
    int tid = 0;
    int cpu = -1;                           ///< CPU of the thread at its end
    std::vector<int> cpus_granted;
    Scheduling scheduling;
    std::string numa;                       ///< memory policy; empty: unknown
    std::optional<double> cpu_time_s;
    std::optional<std::int64_t> voluntary_switches, involuntary_switches, migrations;
    std::optional<double> run_delay_s;      ///< time for which it was ready but waited for a CPU
    std::optional<CpuCounts> cpu_counts;    ///< absent: not requested
};

/// Size of a stream's buffer, planned and granted.
struct BufferResult {
    std::string id;
    std::uint64_t planned = 0, granted = 0;  ///< items
};

struct TraceResult {
    TraceBackend backend = TraceBackend::off;
    bool compiled_in = WEIR_TRACING;
    std::optional<std::uint64_t> events, discarded;
    std::optional<std::uint64_t>
        probe_granularity;  ///< items between two tx events of a source; absent if sources differ
};

/// State of the blocks and streams when the watchdog stopped a run.
struct StuckBlock {
    std::string id, state;
    std::vector<std::string> waits_for;     ///< instances; empty: it waits for none
};
struct StuckStream {
    std::string name;
    std::uint64_t fill = 0, capacity = 0;   ///< items
};
struct WatchdogResult {
    std::string cause;                      ///< timeout, stall
    std::vector<StuckBlock> blocks;
    std::vector<StuckStream> streams;
};

/// Result of an offered load: whether the sinks kept up with the paced sources. Absent: a source runs flat out, or
/// there was no window.
struct LoadResult {
    std::optional<double> offered_items_per_s, delivered_items_per_s;
    std::optional<bool> kept_up;
};

struct VerifiedSink {
    std::string id;
    std::uint64_t items = 0, reference_items = 0;
    std::optional<std::uint64_t> digest, reference_digest;
    bool ok() const { return items == reference_items && digest == reference_digest; }
};
struct Verification {
    bool ok = false;
    std::uint64_t items = 0;                ///< number of compared items, at all sinks
    std::string_view scheduler;             ///< scheduler of the reference run
    std::vector<VerifiedSink> sinks;
    std::string message;
};

struct Results {
    const Plan* plan = nullptr;
    Options options;
    std::vector<std::pair<std::string, std::string>> parameters;  ///< name, JSON text

    std::vector<Reason> reasons;
    RunStatus status() const { return status_of(reasons); }

    std::optional<double> elapsed_s, window_s;
    std::optional<Window> window;
    std::optional<double> throughput_items_per_s;
    LoadResult load;
    std::vector<SinkResult> sinks;
    std::uint64_t tail_items = 0;

    TraceResult trace;
    std::shared_ptr<const trace::Tracer> recording;  ///< null: not traced in memory
    std::optional<MetricsCost> metrics_cost;
    std::vector<BlockResult> blocks;
    std::vector<EdgeResult> edges;
    std::vector<ThreadResult> threads;
    std::optional<CpuCounts> cpu_counts;    ///< sum over all threads
    std::vector<BufferResult> buffers;
    MemoryGranted memory;

    std::optional<KernelsChosen> volk;      ///< absent: no block calls VOLK
    Environment environment;
    std::optional<SpeedCheckResult> speed_check;
    std::optional<ClockSpan> clocks;
    std::optional<Energy> energy;
    std::optional<double> items_per_joule;
    std::optional<std::array<double, 3>> load_before;
    std::optional<std::uint64_t> runnable_before;  ///< runnable threads of other programs
    std::optional<double> steal, other_programs;

    std::optional<WatchdogResult> watchdog;
    std::optional<Verification> verification;
};

/// Return the text of results.json.
std::string results_json(const Results& results);

/// Return a summary of a few aligned lines for the user.
std::string summary_text(const Results& results, const std::string& where);

/// Return a digest as 16 hexadecimal digits, because a JSON reader may round integers beyond 2^53.
std::string digest_text(std::uint64_t digest);

}  // namespace weir
