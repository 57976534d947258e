#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app_parts.hpp"
#include "weir/expected.hpp"
#include "weir/lateness.hpp"
#include "weir/text.hpp"

namespace weir::app {

namespace {

std::string text_of(double value, const char* format) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// Return the rate as text that a project file accepts, in whole items if it is large enough.
std::string rate_text(double items_per_s) { return text_of(items_per_s, items_per_s < 1e3 ? "%.4g" : "%.0f"); }

/// Return the indices of the blocks that the sinks' items originate from: sources and pacing blocks.
std::set<std::size_t> origins(const BuiltFlowgraph& graph, std::span<const OfferedRate> offered) {
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < graph.instances.size(); ++i) {
        if (graph.instances[i]->is_sink()) places.insert(offered[i].sources.begin(), offered[i].sources.end());
    }
    return places;
}

/// Return the sum of the rates that the origins offer. Absent if one of them is not paced.
std::optional<double> offered_items_per_s(const BuiltFlowgraph& graph, const std::set<std::size_t>& origins) {
    std::optional<double> sum;
    for (const std::size_t place : origins) {
        const std::optional<double> rate = graph.instances[place]->offered_items_per_s();
        if (!rate) return std::nullopt;
        sum = sum.value_or(0) + *rate;
    }
    return sum;
}

/// Load result of one sink. `share`: items that arrived per item that was due; absent if too few arrived.
struct SinkLoad {
    const OfferedRate& offered;
    std::optional<bool> falls_behind;
    std::optional<double> share;
    double late_s = 0;  ///< of the newest item
};

SinkLoad load_of(const Instance& sink, const OfferedRate& offered, const RunOutcome& outcome) {
    Window window = *outcome.window;
    const auto arrivals = sink.arrivals();
    // Nothing more is due at a sink that has all its items, such as one behind a head.
    if (sink.state() == StepStatus::done && !arrivals.empty())
        window.end_ns = std::min(window.end_ns, arrivals.back().time_ns);
    const auto late = lateness_of(arrivals, *offered.items_per_s, outcome.barrier_ns, window);
    SinkLoad load{offered, falls_behind(late, window, offered.burst_ns), std::nullopt};
    if (const auto rate = arrival_rate(arrivals, window)) load.share = *rate / *offered.items_per_s;
    if (!late.empty()) load.late_s = static_cast<double>(late.back().late_ns) * 1e-9;
    return load;
}

/// Return the smallest share of a source's items that arrived at any of its sinks. Absent if the share of one sink is
/// unknown, or if a join could not use all items.
std::optional<double> share_of(std::size_t source, std::span<const SinkLoad> sinks) {
    std::optional<double> least;
    for (const SinkLoad& sink : sinks) {
        if (!std::ranges::binary_search(sink.offered.sources, source)) continue;
        if (!sink.share || sink.offered.uneven) return std::nullopt;
        least = std::min(least.value_or(*sink.share), *sink.share);
    }
    return least;
}

/// Return the rate at which offered items arrived at the sinks.
std::optional<double> delivered_items_per_s(const BuiltFlowgraph& graph, const std::set<std::size_t>& origins,
                                            std::span<const SinkLoad> sinks) {
    double sum = 0;
    for (const std::size_t place : origins) {
        const std::optional<double> share = share_of(place, sinks);
        if (!share) return std::nullopt;
        sum += *share * *graph.instances[place]->offered_items_per_s();
    }
    return sum;
}

/// Describe the overload of a source. Empty if its items do not fall behind.
std::string overload(const BuiltFlowgraph& graph, std::size_t source, std::span<const SinkLoad> sinks) {
    const Instance& task = *graph.instances[source];
    bool behind = false, uneven = false;
    double late_s = 0;
    for (const SinkLoad& sink : sinks) {
        if (!sink.falls_behind.value_or(false) || !std::ranges::binary_search(sink.offered.sources, source)) continue;
        behind = true;
        uneven |= sink.offered.uneven;
        late_s = std::max(late_s, sink.late_s);
    }
    if (!behind) return {};
    const double rate = *task.offered_items_per_s();
    const std::string offers = concat({task.spec().name, " offers ", rate_text(rate), " items/s"});
    const std::string grew = concat({"the backlog grew to ", text_of(late_s, "%.3g"), " s"});
    if (uneven) {
        return concat({offers, " to a join whose inputs are due at different rates, and ", grew,
                       ". No rate keeps up while the rates of the inputs differ"});
    }
    const std::optional<double> share = share_of(source, sinks);
    if (!share) return concat({offers, ", and ", grew});
    const std::string through = rate_text(*share * rate);
    return concat({offers, ", but only ", through, " items/s arrived and ", grew, ". Try about ", through, " items/s"});
}

}  // namespace

// The backlog is measured at the sinks. Too few items arrive there whether the backlog is in the buffers or in front of
// a blocked source.
void add_load(Results& results, const BuiltFlowgraph& graph, const RunOutcome& outcome) {
    constexpr std::size_t kMostNamed = 3;
    LoadResult& load = results.load;
    const std::vector<OfferedRate> offered = offered_rates(graph.instances);
    const std::set<std::size_t> begins = origins(graph, offered);
    load.offered_items_per_s = offered_items_per_s(graph, begins);
    if (!load.offered_items_per_s || !outcome.window) return;
    std::vector<SinkLoad> sinks;
    bool all_known = true;
    for (std::size_t i = 0; i < graph.instances.size(); ++i) {
        if (!graph.instances[i]->is_sink()) continue;
        if (offered[i].items_per_s) sinks.push_back(load_of(*graph.instances[i], offered[i], outcome));
        all_known &= offered[i].items_per_s && sinks.back().falls_behind.has_value();
    }
    load.delivered_items_per_s = delivered_items_per_s(graph, begins, sinks);
    const bool behind =
        std::ranges::any_of(sinks, [](const SinkLoad& sink) { return sink.falls_behind.value_or(false); });
    if (behind || all_known) load.kept_up = !behind;
    std::string message;
    std::size_t named = 0;
    for (const std::size_t place : begins) {
        const std::string text = overload(graph, place, sinks);
        if (text.empty() || ++named > kMostNamed) continue;
        message += concat({message.empty() ? "" : "; ", text});
    }
    if (named > kMostNamed) message += concat({"; and ", std::to_string(named - kMostNamed), " more"});
    if (behind) add_reason(results, ReasonCode::W_OVERLOADED, std::move(message));
}

void add_throttling(Results& results, const RunOutcome& outcome, const RealtimeRights& rights) {
    std::string stopped;
    for (const ThreadReport& thread : outcome.threads) {
        const std::optional<double> share = throttled_share(thread, rights);
        if (!share) continue;
        stopped += concat(
            {stopped.empty() ? "worker " : ", worker ", thread.name, " for ", text_of(100 * *share, "%.3g"), " %"});
    }
    if (stopped.empty()) return;
    add_reason(results, ReasonCode::N_REALTIME_THROTTLED,
               concat({"Linux stopped ", stopped,
                       " of the time that it could run, because real-time threads may not use more of a "
                       "CPU (kernel.sched_rt_runtime_us, or cpu.rt_runtime_us of the control group)"}));
}

void add_interference(Results& results, const RunOutcome& outcome, const MachineReading& before,
                      const MachineReading& after) {
    results.steal = steal_between(before, after);
    const std::optional<OtherPrograms> other_programs = other_programs_between(before, after, cpus_of(outcome.threads));
    if (other_programs) results.other_programs = other_programs->share;
    const std::optional<double> load = results.load_before ? std::optional(results.load_before->front()) : std::nullopt;
    std::string what = describe_interference({load, results.runnable_before, results.environment.cpus, other_programs,
                                              outcome.threads, outcome.elapsed_ns, results.options.beside.size()});
    if (!what.empty()) add_reason(results, ReasonCode::W_DISTURBED, std::move(what));
}

}  // namespace weir::app
