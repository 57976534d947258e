#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "app_parts.hpp"
#include "weir/expected.hpp"
#include "weir/histogram.hpp"
#include "weir/stream.hpp"
#include "weir/text.hpp"

namespace weir::app {

namespace {

constexpr double kShortWindow_s = 0.2;
constexpr double kShortInterval_s = 0.1;  // RAPL updates its counters once per millisecond

std::uint64_t load(const std::atomic<std::uint64_t>& counter) { return counter.load(std::memory_order_relaxed); }

/// Return the worker of each task, for schedulers that follow the plan. Empty entries if the graph is replicated.
std::vector<std::optional<std::string>> workers_of(const Plan& plan, std::size_t tasks) {
    std::vector<std::optional<std::string>> workers(tasks);
    if (plan.replicas != 1) return workers;
    for (const WorkerSpec& worker : plan.workers) {
        for (const std::uint32_t task : worker.tasks) workers.at(task) = worker.name;
    }
    return workers;
}

std::optional<ItemsPerCall> items_per_call(const std::vector<Instance*>& replicas) {
    std::array<std::uint64_t, histogram::kBuckets> sums{};
    for (const Instance* task : replicas) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += load(task->counters().items_per_call[i]);
    }
    const std::span<const std::uint64_t> counts(sums);
    const auto quantile = [&](double p) { return static_cast<double>(histogram::quantile(counts, p)); };
    return ItemsPerCall{quantile(0.05), quantile(0.50), quantile(0.95), histogram::filled(counts)};
}

std::uint64_t items_into(const std::vector<Instance*>& replicas) {
    std::uint64_t sum = 0;
    for (const Instance* task : replicas) sum += load(task->counters().items_in);
    return sum;
}

/// Return the result of one block, summed over its replicas.
BlockResult block_result(const std::vector<Instance*>& replicas, std::optional<std::string> worker, Metrics metrics) {
    BlockResult block;
    block.id = replicas.front()->spec().name;
    block.worker = std::move(worker);
    std::uint64_t items_out = 0, calls = 0, unaligned_calls = 0, busy_ns = 0;
    for (const Instance* task : replicas) {
        items_out += load(task->counters().items_out);
        calls += task->counters().calls();
        unaligned_calls += load(task->counters().unaligned_calls);
        busy_ns += load(task->counters().busy_ns);
    }
    if (replicas.front()->knows_items()) {
        block.items_in = items_into(replicas);
        block.items_out = items_out;
    }
    if (metrics == Metrics::none || !replicas.front()->is_counted()) return block;
    block.calls = calls;
    block.unaligned_calls = unaligned_calls;
    block.items_per_call = items_per_call(replicas);
    if (metrics == Metrics::profile && replicas.front()->is_timed()) block.busy_ns = busy_ns;
    return block;
}

/// Return the digest of a stream: the sum of the digests of the parts that the replicas received.
std::optional<std::uint64_t> digest_of_all(const std::vector<Instance*>& replicas) {
    std::optional<std::uint64_t> sum = replicas.front()->digest();
    for (std::size_t i = 1; sum && i < replicas.size(); ++i) *sum += replicas[i]->digest().value_or(0);
    return sum;
}

/// Return `instance.port` of a reader, with the port's number if it has no known name.
std::string reader_name(const StreamBase& stream, const Instance& reader) {
    const auto inputs = reader.inputs();
    const auto port = static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), &stream) - inputs.begin());
    const auto& names = reader.spec().in_ports;
    return concat({reader.spec().name, ".", port < names.size() ? std::string(names[port]) : std::to_string(port)});
}

ThreadResult thread_result(const ThreadReport& report) {
    const auto measured = [](std::int64_t count) { return count >= 0 ? std::optional(count) : std::nullopt; };
    ThreadResult thread;
    thread.name = report.name;
    thread.tid = report.tid;
    thread.cpu = report.cpu;
    thread.cpus_granted = report.cpus_granted;
    thread.scheduling = report.scheduling;
    thread.numa = report.numa;
    thread.cpu_time_s = report.cpu_time_s;
    thread.voluntary_switches = measured(report.voluntary_switches);
    thread.involuntary_switches = measured(report.involuntary_switches);
    thread.migrations = measured(report.migrations);
    if (report.run_delay_ns >= 0) thread.run_delay_s = static_cast<double>(report.run_delay_ns) * 1e-9;
    thread.cpu_counts = report.cpu_counts;
    return thread;
}

/// Return the cost of the clock reads around every call. Other reads of the workers happen only at boundaries.
std::optional<MetricsCost> metrics_cost(const Results& results) {
    if (results.options.run.metrics != Metrics::profile) return std::nullopt;
    MetricsCost cost{clock_read_ns(), 0, std::nullopt};
    for (const BlockResult& block : results.blocks) {
        if (block.busy_ns) cost.clock_reads += 2 * block.calls.value_or(0);
    }
    double cpu_time_s = 0;
    for (const ThreadResult& thread : results.threads) cpu_time_s += thread.cpu_time_s.value_or(0);
    const double spent_s = static_cast<double>(cost.clock_reads) * cost.clock_read_ns * 1e-9;
    if (cpu_time_s > 0) cost.share = std::min(1.0, spent_s / cpu_time_s);
    return cost;
}

/// Report a setting that Linux did not grant: as an error if the plan requires it, else as a warning.
void check_granted(Results& results, std::string_view requirement, const std::string& what, const std::string& error) {
    if (error.empty()) return;
    const Requirements& required = results.plan->require;
    const bool must = std::find(required.begin(), required.end(), requirement) != required.end();
    add_reason(results, must ? ReasonCode::E_NOT_GRANTED : ReasonCode::W_NOT_GRANTED, concat({what, ": ", error}));
}

void check_everything_granted(Results& results, const RunOutcome& outcome) {
    for (const ThreadReport& thread : outcome.threads) {
        check_granted(results, "affinity", concat({"affinity of worker ", thread.name}), thread.affinity_error);
        check_granted(results, "priority", concat({"priority of worker ", thread.name}), thread.priority_error);
        check_granted(results, "timer_slack", concat({"timer slack of worker ", thread.name}), thread.slack_error);
        check_granted(results, "numa", concat({"memory node of worker ", thread.name}), thread.numa_error);
    }
    check_granted(results, "memory_lock", "locked memory", outcome.memory.lock_error);
    std::string no_huge_pages = outcome.memory.hugepages_error;
    if (no_huge_pages.empty() && results.plan->memory.hugepages && results.memory.huge_pages == 0U) {
        no_huge_pages = "Linux granted none";
    }
    check_granted(results, "hugepages", "huge pages", no_huge_pages);
}

void add_times(Results& results, const RunOutcome& outcome) {
    results.elapsed_s = static_cast<double>(outcome.elapsed_ns) * 1e-9;
    if (!outcome.window) {
        if (outcome.complete) {
            add_reason(results, ReasonCode::W_NO_WINDOW,
                       "the run ended before every sink had received its warm-up items");
        }
        return;
    }
    results.window = outcome.window;
    results.window_s = static_cast<double>(outcome.window->duration_ns()) * 1e-9;
    // In a short run the sources may end before the window opens, and then there is no throughput.
    if (outcome.window_items.value_or(0) != 0) {
        results.throughput_items_per_s = static_cast<double>(*outcome.window_items) / *results.window_s;
    }
    if (*results.window_s < kShortWindow_s) {
        char text[96];
        std::snprintf(text, sizeof text, "the measured window lasted %.3g s; the throughput is uncertain below %.1f s",
                      *results.window_s, kShortWindow_s);
        add_reason(results, ReasonCode::N_SHORT_WINDOW, text);
    }
    const double closed_s = static_cast<double>(outcome.window->end_ns - outcome.barrier_ns) * 1e-9;
    if (outcome.complete && *results.elapsed_s >= kShortWindow_s && closed_s < *results.elapsed_s / 2) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "the first sink, and the measured window with it, ended after %.3g s of %.3g s: the throughput "
                      "counts items that slower sinks got later",
                      closed_s, *results.elapsed_s);
        add_reason(results, ReasonCode::N_EARLY_WINDOW, text);
    }
}

}  // namespace

void add_reason(Results& results, ReasonCode code, std::string message) {
    results.reasons.push_back({code, std::move(message)});
}

void add_sinks(Results& results, const BuiltFlowgraph& graph, const Run& run) {
    const RunOutcome& outcome = run.outcome();
    for (std::size_t i = 0; i < graph.blocks(); ++i) {
        const Instance& task = *graph.instances[i];
        if (!task.is_sink()) continue;
        const std::vector<Instance*> replicas = graph.of(i);
        SinkResult sink{std::string(task.spec().name), items_into(replicas), std::nullopt, digest_of_all(replicas)};
        if (i < run.expected().size()) sink.expected = run.expected()[i];
        if (outcome.complete && sink.expected && *sink.expected != sink.items) {
            add_reason(results, ReasonCode::E_COUNT,
                       concat({sink.id, " received ", std::to_string(sink.items), " items instead of ",
                               std::to_string(*sink.expected)}));
        }
        results.sinks.push_back(std::move(sink));
    }
    if (!outcome.complete && !outcome.stopped && !outcome.failure) {
        add_reason(results, ReasonCode::E_COUNT, "the scheduler returned before every block was done");
    }
}

void add_failure(Results& results, const Failure& failure) {
    add_reason(results, ReasonCode::E_BLOCK,
               concat({failure.instance, failure.instance.empty() ? "" : ": ", failure.message}));
}

void add_ending(Results& results, Ending ending, const WatchdogResult& seen) {
    char seconds[32];
    switch (ending) {
        case Ending::finished: return;
        case Ending::interrupted:
            add_reason(results, ReasonCode::E_INTERRUPTED, "a signal interrupted the run");
            return;
        case Ending::timed_out:
            std::snprintf(seconds, sizeof seconds, "%g s", results.options.run.timeout_s);
            add_reason(results, ReasonCode::E_TIMEOUT, concat({"the run did not finish within ", seconds}));
            break;
        case Ending::stalled:
            std::snprintf(seconds, sizeof seconds, "%g s", results.options.stall_s);
            add_reason(results, ReasonCode::E_STALLED, concat({"no item moved for ", seconds}));
            break;
    }
    if (!results.watchdog) results.watchdog = seen;
}

Results results_before(const Application& application, const Options& options, const BuiltFlowgraph& graph) {
    Results results;
    results.plan = &application.plan;
    results.options = options;
    for (const ParamTable::Entry& entry : graph.parameters.entries()) {
        results.parameters.emplace_back(entry.name, ParamTable::json(entry));
    }
    const KernelLibrary& volk = application.plan.volk;
    if (volk.machine != nullptr || !volk.implementation.empty()) results.volk = choose_kernels(volk);
    results.environment = read_environment();
    results.load_before = load_averages();
    results.runnable_before = others_runnable();
    std::optional<std::uint64_t> granularity;
    for (const Instance* task : graph.instances) {
        const bool begins = task->is_source() || task->offered_items_per_s();
        if (!begins || task->spec().probe_granularity == 0) continue;
        if (granularity && *granularity != task->spec().probe_granularity) return results;  // the sources differ
        granularity = task->spec().probe_granularity;
    }
    results.trace.probe_granularity = granularity;
    return results;
}

void add_counters(Results& results, const BuiltFlowgraph& graph) {
    const Metrics metrics = results.options.run.metrics;
    std::vector<std::optional<std::string>> workers = workers_of(*results.plan, graph.instances.size());
    for (std::size_t i = 0; i < graph.blocks(); ++i) {
        results.blocks.push_back(block_result(graph.of(i), std::move(workers[i]), metrics));
        for (const Instance* task : graph.of(i)) results.tail_items += load(task->counters().tail_items);
    }
    for (const StreamBase* stream : graph.streams) {
        results.buffers.push_back({std::string(stream->name()), stream->requested(), stream->capacity()});
        for (std::size_t i = 0; i < stream->readers(); ++i) {
            const Instance* reader = stream->reader_task(i);
            if (reader == nullptr) continue;
            EdgeResult edge{std::string(stream->name()), reader_name(*stream, *reader), stream->capacity(),
                            stream->fill_mean(i), stream->fill_over_time(i)};
            results.edges.push_back(std::move(edge));
        }
    }
    // The schedule determines how much an arena place holds, so there is no fill to measure.
    for (const PlaceBase* place : graph.places) {
        results.buffers.push_back({std::string(place->spec().name), place->spec().items, place->granted()});
        for (const std::string_view reader : place->spec().readers) {
            results.edges.push_back(
                {std::string(place->spec().name), std::string(reader), place->granted(), std::nullopt, {}});
        }
    }
}

void add_outcome(Results& results, const BuiltFlowgraph& graph, const Run& run, const trace::Tracer& tracer) {
    const RunOutcome& outcome = run.outcome();
    if (outcome.failure) add_failure(results, *outcome.failure);
    add_sinks(results, graph, run);
    add_times(results, outcome);
    for (const ThreadReport& report : outcome.threads) {
        if (report.tid != 0) results.threads.push_back(thread_result(report));  // 0: the thread never reported
    }
    results.metrics_cost = metrics_cost(results);
    results.memory = read_memory_granted();
    check_everything_granted(results, outcome);

    if (!has_probes(tracer.backend())) return;
    results.trace.events = tracer.events();
    // LTTng itself counts the events that it discards.
    if (tracer.backend() != TraceBackend::memory) return;
    results.trace.discarded = tracer.discarded();
    if (tracer.discarded() != 0) {
        add_reason(
            results, ReasonCode::E_DISCARDED,
            concat({"the trace buffer in memory was full: ", std::to_string(tracer.discarded()), " events were lost"}));
    }
}

void add_cpu_counts(Results& results, const RunOutcome& outcome, const std::filesystem::path& sys) {
    if (std::ranges::none_of(outcome.threads, [](const ThreadReport& thread) { return thread.cpu_counts.has_value(); }))
        return;
    CpuCounts none;
    none.errors.fill(ESRCH);
    std::vector<CpuCounts> counts;
    counts.reserve(outcome.threads.size());
    for (const ThreadReport& thread : outcome.threads) counts.push_back(thread.cpu_counts.value_or(none));
    results.cpu_counts = sum_of(counts);
    std::string missing = missing_text(*results.cpu_counts, perf_event_paranoid());
    if (std::filesystem::exists(sys / "bus/event_source/devices/cpu_atom")) {
        missing +=
            concat({missing.empty() ? "" : "; ", "this CPU has two kinds of cores, and only the P-cores were counted"});
    }
    if (!missing.empty()) add_reason(results, ReasonCode::N_CPU_COUNTERS, std::move(missing));
}

void add_energy(Results& results, const BuiltFlowgraph& graph, Energy energy) {
    std::uint64_t items = 0;
    for (const std::uint32_t place : results.plan->metered) {
        for (const Instance* task : graph.of(place)) items += load(task->counters().items_out);
    }
    if (energy.interval_s < kShortInterval_s) {
        if (energy.why_not.empty())
            energy.why_not = "items_per_joule needs a run of at least 0.1 s: the counters update once per millisecond";
    } else if (results.throughput_items_per_s && energy.joules.value_or(0) > 0) {
        results.items_per_joule = static_cast<double>(items) / *energy.joules;
    }
    results.energy = std::move(energy);
}

}  // namespace weir::app
