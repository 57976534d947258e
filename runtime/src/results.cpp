#include "weir/results.hpp"

#include <array>

#include "results_parts.hpp"

namespace weir {

namespace {

constexpr int kSchemaVersion = 1;
constexpr JsonWriter::Layout kLine = JsonWriter::Layout::line;

void write_identity(JsonWriter& json, const Results& r) {
    const Plan& plan = *r.plan;
    json.field("schema_version", kSchemaVersion);
    json.field("weir_version", plan.weir_version);
    json.field("run_id", r.options.run_id);
    json.field("project_hash", plan.project_hash);
    json.field("plan_hash", plan.plan_hash);
    json.null_field("binary_hash");  // of the file, which the runner hashes
    json.field("project", plan.project);
    json.field("deployment", plan.deployment);
    json.field("scheduler", plan.scheduler);
    json.key("parameters");
    json.begin_object();
    for (const auto& [name, value] : r.parameters) {
        json.key(name);
        json.raw(value);
    }
    json.end_object();
    json.field("seed", r.options.run.seed);
    json.field("items", r.options.run.items);
    json.field("repetition", r.options.repetition);
}

void write_window(JsonWriter& json, const std::optional<Window>& window) {
    if (!window) {
        json.null_field("window");
        return;
    }
    json.key("window");
    json.begin_object(kLine);
    json.field("begin_ns", window->begin_ns);
    json.field("end_ns", window->end_ns);
    json.end_object();
}

void write_outcome(JsonWriter& json, const Results& r) {
    json.field("status", name_of(r.status()));
    json.key("reasons");
    json.begin_array();
    for (const Reason& reason : r.reasons) {
        json.begin_object(kLine);
        json.field("code", spec_of(reason.code).name);
        json.field("message", reason.message);
        json.end_object();
    }
    json.end_array();
    json.field("elapsed_s", r.elapsed_s);
    json.field("window_s", r.window_s);
    write_window(json, r.window);
    json.field("warmup_items", r.options.run.warmup_items);
    json.field("offered_items_per_s", r.load.offered_items_per_s);
    json.field("throughput_items_per_s", r.throughput_items_per_s);
    json.key("load");
    json.begin_object(kLine);
    json.field("offered_items_per_s", r.load.offered_items_per_s);
    json.field("delivered_items_per_s", r.load.delivered_items_per_s);
    json.field("kept_up", r.load.kept_up);
    json.end_object();
    json.key("sinks");
    json.begin_array();
    for (const SinkResult& sink : r.sinks) {
        json.begin_object(kLine);
        json.field("id", sink.id);
        json.field("items", sink.items);
        json.field("expected", sink.expected);
        json.key("digest");
        if (sink.digest) json.value(digest_text(*sink.digest));
        else json.null();
        json.end_object();
    }
    json.end_array();
    json.field("tail_items", r.tail_items);
}

void write_nanoseconds(JsonWriter& json, const LatencyStatistics& s) {
    const bool any = s.count > 0;
    const auto nanoseconds = [&](std::string_view name, auto value) {
        if (any) json.field(name, value);
        else json.null_field(name);
    };
    nanoseconds("mean_ns", s.mean_ns);
    nanoseconds("p5_ns", s.p5_ns);
    nanoseconds("p50_ns", s.p50_ns);
    nanoseconds("p95_ns", s.p95_ns);
    nanoseconds("p99_ns", s.p99_ns);
    nanoseconds("p999_ns", s.p999_ns);
    nanoseconds("max_ns", s.max_ns);
}

void write_statistics(JsonWriter& json, const LatencyStatistics& s) {
    json.field("count", s.count);
    json.field("lost", s.lost);
    write_nanoseconds(json, s);
}

void write_hops(JsonWriter& json, const std::vector<LatencyHop>& hops) {
    json.key("hops");
    json.begin_array();
    for (const LatencyHop& hop : hops) {
        json.begin_object();
        json.field("from", hop.probe.from);
        json.field("to", hop.probe.to);
        json.field("pipe", hop.probe.pipe >= 0 ? std::optional(hop.probe.pipe) : std::nullopt);
        json.field("count", hop.waiting.count);
        json.field("lost", hop.waiting.lost);
        for (const auto& [name, part] : {std::pair("waiting", &hop.waiting), std::pair("work", &hop.work)}) {
            json.key(name);
            json.begin_object(kLine);
            write_nanoseconds(json, *part);
            json.end_object();
        }
        json.end_object();
    }
    json.end_array();
}

void write_latency(JsonWriter& json, const std::optional<Latency>& latency) {
    if (!latency) {
        json.null_field("latency");
        json.null_field("latency_pairs");
        json.null_field("hops");
        return;
    }
    json.key("latency");
    json.begin_object(kLine);
    write_statistics(json, latency->total);
    json.end_object();
    json.key("latency_pairs");
    json.begin_array();
    for (const LatencyPair& pair : latency->pairs) {
        json.begin_object(kLine);
        json.field("source", pair.probe.source);
        json.field("sink", pair.probe.sink);
        json.field("pipe", pair.probe.pipe >= 0 ? std::optional(pair.probe.pipe) : std::nullopt);
        write_statistics(json, pair.statistics);
        json.end_object();
    }
    json.end_array();
    write_hops(json, latency->hops);
}

void write_trace(JsonWriter& json, const Results& r) {
    json.key("trace");
    json.begin_object(kLine);
    json.field("backend", name_of(r.trace.backend));
    json.field("events", r.trace.events);
    json.field("discarded", r.trace.discarded);
    json.field("probe_granularity", r.trace.probe_granularity);
    json.null_field("predicted_cost");  // the planner's
    json.null_field("cost");            // what an event costs is the planner's too
    json.end_object();
    json.field("metrics", name_of(r.options.run.metrics));
    if (!r.metrics_cost) {
        json.null_field("metrics_cost");
        return;
    }
    json.key("metrics_cost");
    json.begin_object(kLine);
    json.field("clock_read_ns", r.metrics_cost->clock_read_ns);
    json.field("clock_reads", r.metrics_cost->clock_reads);
    json.field("share", r.metrics_cost->share);
    json.end_object();
}

void write_blocks(JsonWriter& json, const std::vector<BlockResult>& blocks) {
    json.key("blocks");
    json.begin_array();
    for (const BlockResult& block : blocks) {
        json.begin_object(kLine);
        json.field("id", block.id);
        json.field("worker", block.worker);
        json.field("calls", block.calls);
        json.field("items_in", block.items_in);
        json.field("items_out", block.items_out);
        json.field("busy_ns", block.busy_ns);
        json.key("items_per_call");
        if (block.items_per_call) {
            json.begin_object(kLine);
            json.field("p5", block.items_per_call->p5);
            json.field("p50", block.items_per_call->p50);
            json.field("p95", block.items_per_call->p95);
            json.end_object();
        } else {
            json.null();
        }
        json.end_object();
    }
    json.end_array();
}

void write_edges(JsonWriter& json, const std::vector<EdgeResult>& edges) {
    json.key("edges");
    json.begin_array();
    for (const EdgeResult& edge : edges) {
        json.begin_object(kLine);
        json.field("from", edge.from);
        json.field("to", edge.to);
        json.field("buffer_items", edge.buffer_items);
        json.field("fill_mean", edge.fill_mean);
        json.end_object();
    }
    json.end_array();
}

void write_threads(JsonWriter& json, const std::vector<ThreadResult>& threads) {
    json.key("threads");
    json.begin_array();
    for (const ThreadResult& thread : threads) {
        json.begin_object(kLine);
        json.field("name", thread.name);
        json.field("tid", thread.tid);
        json.field("cpu", thread.cpu >= 0 ? std::optional(thread.cpu) : std::nullopt);
        json.field("policy", name_of(thread.policy));
        json.field("priority", thread.priority);
        json.field("cpu_time_s", thread.cpu_time_s);
        json.field("voluntary_switches", thread.voluntary_switches);
        json.field("involuntary_switches", thread.involuntary_switches);
        json.field("migrations", thread.migrations);
        json.field("run_delay_s", thread.run_delay_s);
        json.end_object();
    }
    json.end_array();
}

void write_watchdog(JsonWriter& json, const std::optional<WatchdogResult>& watchdog) {
    if (!watchdog) {
        json.null_field("watchdog");
        return;
    }
    json.key("watchdog");
    json.begin_object();
    json.field("cause", watchdog->cause);
    json.key("blocks");
    json.begin_array();
    for (const StuckBlock& block : watchdog->blocks) {
        json.begin_object(kLine);
        json.field("id", block.id);
        json.field("state", block.state);
        json.field("waits_for", block.waits_for);
        json.end_object();
    }
    json.end_array();
    json.key("streams");
    json.begin_array();
    for (const StuckStream& stream : watchdog->streams) {
        json.begin_object(kLine);
        json.field("name", stream.name);
        json.field("fill", stream.fill);
        json.field("capacity", stream.capacity);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_verification(JsonWriter& json, const std::optional<Verification>& verification) {
    if (!verification) {
        json.null_field("verification");
        return;
    }
    const auto digest = [](const std::optional<std::uint64_t>& d) {
        return d ? std::optional(digest_text(*d)) : std::nullopt;
    };
    json.key("verification");
    json.begin_object();
    json.field("ok", verification->ok);
    json.field("items", verification->items);
    json.field("reference", "scheduler");  // only the runner has numpy
    json.field("scheduler", "single_thread");
    json.null_field("binary_hash");        // of the file, which the runner hashes
    json.key("sinks");
    json.begin_array();
    for (const VerifiedSink& sink : verification->sinks) {
        json.begin_object(kLine);
        json.field("id", sink.id);
        json.field("ok", sink.ok());
        json.field("items", sink.items);
        json.field("reference_items", sink.reference_items);
        json.field("digest", digest(sink.digest));
        json.field("reference_digest", digest(sink.reference_digest));
        json.null_field("error_ulp");
        json.null_field("bound_ulp");
        json.end_object();
    }
    json.end_array();
    json.field("message", verification->message);
    json.end_object();
}

}  // namespace

std::string digest_text(std::uint64_t digest) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; digest >>= 4U) text[i] = kHex[digest & 15U];
    return text;
}

std::string results_json(const Results& r) {
    JsonWriter json;
    json.begin_object();
    write_identity(json, r);
    write_outcome(json, r);
    write_latency(json, r.latency);
    write_trace(json, r);
    write_blocks(json, r.blocks);
    write_edges(json, r.edges);
    write_threads(json, r.threads);
    json.null_field("requested");  // before the planner rounded it; the runner has the project
    write_machine(json, r);
    write_watchdog(json, r.watchdog);
    write_verification(json, r.verification);
    json.null_field("coordinates");  // what the run was asked, and
    json.null_field("runtime");      // what of it the target knows: the runner's
    json.end_object();
    return json.take();
}

}  // namespace weir
