#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app_parts.hpp"
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

/// How late the newest items of all sources were at the most, in the last of their samples within the window.
double late_at_end_s(const BuiltFlowgraph& graph, const Window& window) {
    std::int64_t latest_ns = 0;
    for (const Task* task : graph.tasks) {
        std::int64_t last_ns = 0;
        for (const LateSample& sample : task->lateness()) {
            if (window.has(sample.time_ns)) last_ns = sample.late_ns;
        }
        latest_ns = std::max(latest_ns, last_ns);
    }
    return static_cast<double>(latest_ns) * 1e-9;
}

}  // namespace

void add_load(Results& results, const BuiltFlowgraph& graph) {
    LoadResult& load = results.load;
    load.offered_items_per_s = offered_items_per_s(graph);
    if (!load.offered_items_per_s || !results.window) return;
    load.delivered_items_per_s = results.throughput_items_per_s;
    bool behind = false, all_told = true;
    for (const Task* task : graph.tasks) {
        if (!task->is_source()) continue;
        const std::optional<bool> falls = falls_behind(task->lateness(), *results.window);
        behind |= falls.value_or(false);
        all_told &= falls.has_value();
    }
    if (behind || all_told) load.kept_up = !behind;
    if (!behind || !load.delivered_items_per_s) return;
    std::array<char, 32> late{};
    std::snprintf(late.data(), late.size(), "%.3g s", late_at_end_s(graph, *results.window));
    const std::string delivered = plain(*load.delivered_items_per_s);
    add_reason(results, ReasonCode::overloaded,
               concat({"of ", plain(*load.offered_items_per_s), " items/s offered, ", delivered,
                       " were delivered, and the backlog grew to ", late.data(), ": at most ", delivered,
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
