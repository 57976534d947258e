#include "weir/results.hpp"

#include <cmath>

#include "results_parts.hpp"

namespace weir {

namespace {

std::optional<fields::Digest> digest_field(const std::optional<std::uint64_t>& digest) {
    return digest ? std::optional(fields::Digest{*digest}) : std::nullopt;
}

fields::ByName<fields::Json> parameter_fields(const Results& r) {
    fields::ByName<fields::Json> parameters;
    for (const auto& [name, value] : r.parameters) parameters.emplace_back(name, fields::Json{value});
    return parameters;
}

fields::Outcome outcome_fields(const Results& r) {
    std::optional<fields::Window> window;
    if (r.window) window = {.begin_ns = r.window->begin_ns, .end_ns = r.window->end_ns};
    std::vector<fields::Sink> sinks;
    sinks.reserve(r.sinks.size());
    for (const SinkResult& sink : r.sinks) {
        sinks.push_back(
            {.id = sink.id, .items = sink.items, .expected = sink.expected, .digest = digest_field(sink.digest)});
    }
    return {.elapsed_s = r.elapsed_s,
            .window_s = r.window_s,
            .window = window,
            .warmup_items = r.options.run.warmup_items,
            .offered_items_per_s = r.load.offered_items_per_s,
            .throughput_items_per_s = r.throughput_items_per_s,
            .load = fields::Load{.offered_items_per_s = r.load.offered_items_per_s,
                                 .delivered_items_per_s = r.load.delivered_items_per_s,
                                 .kept_up = r.load.kept_up},
            .sinks = sinks,
            .tail_items = r.tail_items};
}

std::optional<fields::MetricsCost> cost_fields(const std::optional<MetricsCost>& cost) {
    if (!cost) return std::nullopt;
    return fields::MetricsCost{
        .clock_read_ns = cost->clock_read_ns, .clock_reads = cost->clock_reads, .share = cost->share};
}

std::vector<fields::Block> block_fields(const std::vector<BlockResult>& blocks) {
    std::vector<fields::Block> found;
    for (const BlockResult& block : blocks) {
        std::optional<fields::ItemsPerCall> items;
        if (const auto& per_call = block.items_per_call) {
            items = {
                .p5 = per_call->p5, .p50 = per_call->p50, .p95 = per_call->p95, .distribution = per_call->distribution};
        }
        found.push_back({.id = block.id,
                         .worker = block.worker,
                         .calls = block.calls,
                         .unaligned_calls = block.unaligned_calls,
                         .items_in = block.items_in,
                         .items_out = block.items_out,
                         .busy_ns = block.busy_ns,
                         .items_per_call = items});
    }
    return found;
}

/// Round to four decimals to keep the file short.
std::vector<std::optional<double>> rounded(std::vector<std::optional<double>> shares) {
    for (std::optional<double>& share : shares) {
        if (share) share = std::round(*share * 1e4) / 1e4;
    }
    return shares;
}

std::optional<fields::FillOverTime> over_time_fields(const std::optional<FillOverTime>& fill) {
    if (!fill) return std::nullopt;
    return fields::FillOverTime{
        .bin_ns = static_cast<std::uint64_t>(fill->bin_ns), .mean = rounded(fill->mean), .max = rounded(fill->max)};
}

std::vector<fields::Edge> edge_fields(const std::vector<EdgeResult>& edges) {
    std::vector<fields::Edge> found;
    found.reserve(edges.size());
    for (const EdgeResult& edge : edges) {
        found.push_back({.from = edge.from,
                         .to = edge.to,
                         .buffer_items = edge.buffer_items,
                         .fill_mean = edge.fill_mean,
                         .fill_over_time = over_time_fields(edge.fill_over_time)});
    }
    return found;
}

std::vector<fields::Thread> thread_fields(const std::vector<ThreadResult>& threads) {
    std::vector<fields::Thread> found;
    found.reserve(threads.size());
    for (const ThreadResult& thread : threads) {
        found.push_back({.name = thread.name,
                         .tid = thread.tid,
                         .cpu = cpu_number(thread.cpu),
                         .priority = scheduling_fields(thread.scheduling),
                         .cpu_time_s = thread.cpu_time_s,
                         .voluntary_switches = thread.voluntary_switches,
                         .involuntary_switches = thread.involuntary_switches,
                         .migrations = thread.migrations,
                         .run_delay_s = thread.run_delay_s,
                         .cpu_counters = cpu_counter_fields(thread.cpu_counts)});
    }
    return found;
}

std::optional<fields::Watchdog> watchdog_fields(const std::optional<WatchdogResult>& watchdog) {
    if (!watchdog) return std::nullopt;
    std::vector<fields::StuckBlock> blocks;
    for (const StuckBlock& block : watchdog->blocks) {
        blocks.push_back({.id = block.id, .state = block.state, .waits_for = block.waits_for});
    }
    std::vector<fields::StuckStream> streams;
    for (const StuckStream& stream : watchdog->streams) {
        streams.push_back({.name = stream.name, .fill = stream.fill, .capacity = stream.capacity});
    }
    return fields::Watchdog{.cause = watchdog->cause, .blocks = blocks, .streams = streams};
}

std::optional<fields::Verification> verification_fields(const std::optional<Verification>& verification) {
    if (!verification) return std::nullopt;
    std::vector<fields::VerifiedSink> sinks;
    for (const VerifiedSink& sink : verification->sinks) {
        sinks.push_back({.id = sink.id,
                         .ok = sink.ok(),
                         .items = sink.items,
                         .reference_items = sink.reference_items,
                         .digest = digest_field(sink.digest),
                         .reference_digest = digest_field(sink.reference_digest)});
    }
    return fields::Verification{.ok = verification->ok,
                                .items = verification->items,
                                .reference = "scheduler",  // only the runner has numpy
                                .scheduler = verification->scheduler,
                                .sinks = sinks,
                                .message = verification->message};
}

std::vector<fields::Reason> reason_fields(const std::vector<Reason>& reasons) {
    std::vector<fields::Reason> found;
    found.reserve(reasons.size());
    for (const Reason& reason : reasons)
        found.push_back({.code = spec_of(reason.code).name, .message = reason.message});
    return found;
}

fields::Results all_fields(const Results& r) {
    const Plan& plan = *r.plan;
    return {.weir_version = plan.weir_version,
            .run_id = r.options.run_id,
            .project_hash = plan.project_hash,
            .plan_hash = plan.plan_hash,
            .project = plan.project,
            .deployment = plan.deployment,
            .scheduler = plan.scheduler,
            .parameters = parameter_fields(r),
            .seed = static_cast<std::int64_t>(r.options.run.seed),
            .items = r.options.run.items,
            .repetition = r.options.repetition,
            .status = name_of(r.status()),
            .reasons = reason_fields(r.reasons),
            .outcome = outcome_fields(r),
            .trace = fields::Trace{.backend = name_of(r.trace.backend),
                                   .compiled_in = r.trace.compiled_in,
                                   .events = r.trace.events,
                                   .discarded = r.trace.discarded,
                                   .probe_granularity = r.trace.probe_granularity},
            .metrics = name_of(r.options.run.metrics),
            .metrics_cost = cost_fields(r.metrics_cost),
            .blocks = block_fields(r.blocks),
            .edges = edge_fields(r.edges),
            .threads = thread_fields(r.threads),
            .cpu_counters = cpu_counter_fields(r.cpu_counts),
            .planned = planned_fields(r),
            .granted = granted_fields(r),
            .volk = volk_fields(r.volk),
            .environment = environment_fields(r),
            .speed_check = speed_check_fields(r.speed_check),
            .clocks = clock_fields(r.clocks),
            .energy = energy_fields(r),
            .watchdog = watchdog_fields(r.watchdog),
            .verification = verification_fields(r.verification)};
}

}  // namespace

std::string digest_text(std::uint64_t digest) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; digest >>= 4U) text[i] = kHex[digest & 15U];
    return text;
}

std::string results_json(const Results& results) {
    JsonWriter json;
    fields::write(json, all_fields(results));
    return json.take();
}

}  // namespace weir
