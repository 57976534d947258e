#include "fuzz_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "weir/yield_point.hpp"

namespace weir::testing {
namespace {

/// Return the graph without one op, whose readers then read its inputs; nothing if that is no valid graph.
std::optional<Graph> without(const Graph& graph, std::size_t leaving) {
    const Op& op = graph[leaving];
    Graph rest;
    std::vector<std::size_t> reads(graph.size(), 0);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (i == leaving) continue;
        Op kept = graph[i];
        for (Port& from : kept.inputs) {
            if (from.op == leaving) {
                if (op.inputs.empty() || in_rate(op) != 1 || out_rate(op) != 1) return std::nullopt;
                from = op.inputs[0];
            }
            ++reads[from.op];
            if (from.op > leaving) --from.op;
        }
        rest.push_back(std::move(kept));
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (i != leaving && graph[i].kind != Kind::sink && reads[i] == 0) return std::nullopt;
    }
    if (rest.empty()) return std::nullopt;
    return rest;
}

bool fails_now_and_then(const Graph& graph, const SchedulerRow& scheduler, std::uint64_t seed) {
    constexpr std::uint64_t kTries = 200;
    try {
        const Reference reference = evaluate(graph);
        for (std::uint64_t i = 0; i < kTries; ++i) {
            if (try_graph(graph, reference, scheduler, draw_conditions(graph, scheduler, seed + i))) return true;
        }
    } catch (const std::logic_error&) {  // it no longer ends
    }
    return false;
}

}  // namespace

Conditions draw_conditions(const Graph& graph, const SchedulerRow& scheduler, std::uint64_t seed) {
    Random random(seed ^ 0x5EEDU);
    Conditions drawn;
    drawn.settings.seed = random.next() | 1U;
    drawn.settings.chunk =
        static_cast<std::size_t>(random.one_in(6) ? 1 : random.between(1, random.one_in(2) ? 16 : 256));
    drawn.settings.smallest_buffers = random.one_in(3);
    drawn.settings.buffer = static_cast<std::size_t>(random.between(1, random.one_in(2) ? 64 : 4'096));
    drawn.settings.only_rings = random.one_in(6);
    drawn.settings.metrics = static_cast<Metrics>(random.below(3));
    drawn.unmirrored = random.one_in(2);

    const std::uint64_t workers = std::min<std::uint64_t>(random.between(1, 5), scheduler.max_workers);
    if (scheduler.workers == "one") {
        drawn.placement = on_one_worker(graph);
    } else if (scheduler.workers == "per_block") {
        drawn.placement = on_one_each(graph);
    } else if (scheduler.jobs == "instance") {
        drawn.placement = on_one_each(graph);
    } else {
        drawn.placement = dealt_out(graph, static_cast<std::size_t>(workers), random.next());
    }
    if (!scheduler.jobs.empty())
        drawn.settings.pool_workers = std::min(static_cast<std::size_t>(random.between(1, 5)), scheduler.max_workers);
    // Spinning only with few threads: many workers that do not sleep take the CPUs from the one with work.
    const std::size_t threads = drawn.settings.pool_workers != 0 ? drawn.settings.pool_workers : drawn.placement.size();
    const std::uint64_t wait = random.below(8);
    drawn.settings.wait = wait == 0 && threads <= 2   ? WaitPolicy::spin
                          : wait <= 1 && threads <= 4 ? WaitPolicy::yield
                                                      : WaitPolicy::park;
    if (std::ranges::find(scheduler.waits, drawn.settings.wait) == scheduler.waits.end()) {
        drawn.settings.wait = scheduler.waits.front();
    }
    if (random.one_in(24)) drawn.settings.stop_after = std::chrono::microseconds(random.below(3'000));
    drawn.parameters = random.one_in(2) ? 0 : random.next() | 1U;
    drawn.settings.alignment = random.one_in(3);
    return drawn;
}

std::string text_of(const Conditions& conditions) {
    constexpr std::string_view kWaits[] = {"spin", "yield", "park"};
    const Settings& settings = conditions.settings;
    std::string text = "chunk up to " + std::to_string(settings.chunk) + ", buffers " +
                       (settings.smallest_buffers ? "as small as can be" : "up to " + std::to_string(settings.buffer)) +
                       (settings.only_rings ? ", rings only" : "") + (settings.alignment ? ", aligned" : "") +
                       (conditions.unmirrored ? ", unmirrored" : "") + ", wait " +
                       std::string(kWaits[static_cast<std::size_t>(settings.wait)]);
    if (settings.stop_after) text += ", stopped after " + std::to_string(settings.stop_after->count()) + " us";
    text += ", placement";
    for (const auto& worker : conditions.placement) {
        text += " [";
        for (const std::size_t op : worker) text += (&op == worker.data() ? "" : " ") + std::to_string(op);
        text += "]";
    }
    return text;
}

std::optional<Finding> try_graph(const Graph& graph, const Reference& reference, const SchedulerRow& scheduler,
                                 const Conditions& conditions) {
    ::setenv("WEIR_UNMIRRORED", conditions.unmirrored ? "1" : "0", 1);
    seed_yields(conditions.settings.seed);
    const auto run = [&](Run& it) { scheduler.run(it, conditions.parameters); };
    const Outcome outcome = run_graph(graph, conditions.placement, conditions.settings, run);
    return judge(graph, reference, outcome, conditions.settings.stop_after.has_value());
}

Graph shrink(Graph graph, const SchedulerRow& scheduler, std::uint64_t seed, std::chrono::seconds most) {
    const auto until = std::chrono::steady_clock::now() + most;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (std::size_t i = graph.size(); i-- > 0;) {
            if (std::chrono::steady_clock::now() > until) return graph;
            const auto rest = without(graph, i);
            if (!rest || !fails_now_and_then(*rest, scheduler, seed)) continue;
            graph = *rest;
            smaller = true;
        }
    }
    return graph;
}

}  // namespace weir::testing
