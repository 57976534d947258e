#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app_parts.hpp"
#include "weir/expected.hpp"
#include "weir/lateness.hpp"
#include "weir/text.hpp"

namespace weir::app {

namespace {

/// A rate that can be put into a project: whole items, rounded down, where there are enough of them.
std::string plain(double items_per_s) {
    constexpr double kWhole = 1e4;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), items_per_s < kWhole ? "%.4g" : "%.0f",
                  items_per_s < kWhole ? items_per_s : std::floor(items_per_s));
    return text.data();
}

/// What all sources were asked for together; none where one of them runs flat out.
std::optional<double> offered_items_per_s(const BuiltFlowgraph& graph) {
    std::optional<double> sum;
    for (const Task* task : graph.tasks) {
        if (!task->is_source()) continue;
        const std::optional<double> rate = task->offered_items_per_s();
        if (!rate) return std::nullopt;
        sum = sum.value_or(0) + *rate;
    }
    return sum;
}

}  // namespace

// The backlog is looked for at the sinks, where one that lies in the buffers is felt as much as one in front of a source:
// of a source that is kept back, too little comes to them.
void add_load(Results& results, const BuiltFlowgraph& graph, const RunOutcome& outcome) {
    LoadResult& load = results.load;
    load.offered_items_per_s = offered_items_per_s(graph);
    if (!load.offered_items_per_s || !outcome.window) return;
    load.delivered_items_per_s = results.throughput_items_per_s;
    const std::vector<std::optional<double>> rates = offered_rates(graph.tasks);
    bool behind = false, all_told = true;
    double share = 1;   // of what was due, where the least of it came
    double late_s = 0;  // of the newest item, at the most
    for (std::size_t i = 0; i < graph.tasks.size(); ++i) {
        const Task& task = *graph.tasks[i];
        if (!task.is_sink()) continue;
        all_told &= rates[i].has_value();
        if (!rates[i]) continue;
        const auto late = lateness_of(task.arrivals(), *rates[i], outcome.barrier_ns, *outcome.window);
        const std::optional<bool> falls = falls_behind(late, *outcome.window);
        all_told &= falls.has_value();
        if (!falls.value_or(false)) continue;
        behind = true;
        share = std::min(share, arrival_rate(task.arrivals(), *outcome.window).value_or(0) / *rates[i]);
        late_s = std::max(late_s, static_cast<double>(late.back().late_ns) * 1e-9);
    }
    if (behind || all_told) load.kept_up = !behind;
    if (!behind) return;
    std::array<char, 32> late{};
    std::snprintf(late.data(), late.size(), "%.3g s", late_s);
    const std::string through = plain(share * *load.offered_items_per_s);
    add_reason(results, ReasonCode::overloaded,
               concat({"of ", plain(*load.offered_items_per_s), " items/s offered, ", through,
                       " came through, and the backlog grew to ", late.data(), ": at most ", through,
                       " items/s would have held"}));
}

void add_disturbance(Results& results, const RunOutcome& outcome, const MachineReading& before,
                     const MachineReading& after) {
    results.steal = steal_between(before, after);
    const std::optional<ForeignTime> foreign = foreign_between(before, after, cpus_of(outcome.threads));
    if (foreign) results.foreign = foreign->foreign;
    const std::optional<double> load = results.load_before ? std::optional(results.load_before->front()) : std::nullopt;
    std::string what = disturbance({load, results.runnable_before, results.environment.cpus, foreign, outcome.threads,
                                    outcome.elapsed_ns});
    if (!what.empty()) add_reason(results, ReasonCode::disturbed, std::move(what));
}

}  // namespace weir::app
