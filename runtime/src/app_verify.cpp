#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "app_parts.hpp"
#include "weir/text.hpp"
#include "weir/worker_loop.hpp"

namespace weir::app {

namespace {

using Items = std::vector<std::byte>;

/// Return the plan with all tasks on one worker, in topological order. `all` must outlive it.
Plan single_thread_plan(const Plan& plan, std::span<const std::uint32_t> all) {
    Plan reference = plan;
    reference.policy = SchedulingPolicy::other;  // its one worker has no policy of its own
    reference.workers = {{.name = "reference", .tasks = all}};
    reference.jobs.clear();
    return reference;
}

/// Items that one replica wrote to a tapped output.
struct Recorded {
    const Instance* replica;
    std::unique_ptr<Items> items;
};
using Tap = std::vector<Recorded>;

/// Return the record of each of `taps`, in their order. Throws std::invalid_argument if an output does not exist.
std::vector<Tap> tapped(const BuiltFlowgraph& graph, const std::vector<std::string>& taps) {
    std::vector<Tap> recorded(taps.size());
    for (std::size_t i = 0; i < taps.size(); ++i) {
        for (Instance* task : graph.instances) {
            auto items = std::make_unique<Items>();
            if (task->tap(taps[i], *items)) recorded[i].push_back({task, std::move(items)});
        }
        if (recorded[i].empty())
            throw std::invalid_argument(concat({"--tap ", taps[i], ": no block has a connected output of this name"}));
    }
    return recorded;
}

/// Return the items of an output in order, merged from the stretches that its replicas wrote.
Items in_order(const Tap& tap) {
    if (tap.size() == 1) return std::move(*tap.front().items);
    std::uint64_t bytes = 0, firings = 0;
    for (const Recorded& own : tap) {
        bytes += own.items->size();
        firings += own.replica->counters().items_out.load(std::memory_order_relaxed) / own.replica->out_rates()[0];
    }
    Items all(bytes);
    if (firings == 0) return all;
    for (const Recorded& own : tap) {
        const std::size_t stretch = own.replica->stretch_firings() * (bytes / firings);
        std::size_t from = 0;
        for (const std::uint64_t number : own.replica->stretches()) {
            const std::size_t to = number * stretch;
            if (to >= all.size()) continue;
            const std::size_t n = std::min({stretch, all.size() - to, own.items->size() - from});
            std::copy_n(own.items->begin() + static_cast<std::ptrdiff_t>(from), n,
                        all.begin() + static_cast<std::ptrdiff_t>(to));
            from += n;
        }
    }
    return all;
}

void write_taps(const std::filesystem::path& folder, const std::vector<Tap>& recorded) {
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const std::filesystem::path path = folder / concat({"tap-", std::to_string(i), ".items"});
        const Items items = in_order(recorded[i]);
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(items.data()), static_cast<std::streamsize>(items.size()));
        if (!file.flush()) throw std::runtime_error(concat({"cannot write ", path.string()}));
    }
}

/// Run untimed on counter data, and add the sinks' counts and any failure to `results`.
void run_verifying(Results& results, const Plan& plan, const BuiltFlowgraph& graph,
                   const std::function<void(Run&)>& schedule) {
    const Options& options = results.options;
    RunSetup setup;
    setup.spec = options.run;
    setup.verify = true;
    setup.project_dir = options.project_dir;
    setup.output_dir = options.out;
    Run run(plan, graph.instances, graph.streams, std::move(setup));
    const Watched watched = run_watched(run, graph, results, schedule, {});
    if (run.outcome().failure) add_failure(results, *run.outcome().failure);
    else if (!run.outcome().complete) add_ending(results, watched.ending, watched.seen);
    results.elapsed_s = static_cast<double>(run.outcome().elapsed_ns) * 1e-9;
    add_sinks(results, graph, run);
}

/// Run the flowgraph again, on one worker if possible, and compare the sinks. Adds each difference to `results` as a
/// reason.
Verification against_single_thread(Results& results, const Application& application) {
    const BuiltFlowgraph graph = build_with_parameters(application, results.options);
    std::vector<std::uint32_t> all(graph.instances.size());
    std::iota(all.begin(), all.end(), 0U);
    // A fixed schedule cannot be stepped by another scheduler. It is compared with a second run of itself, and so is
    // single_thread.
    const bool stepped = !graph.instances.empty() && graph.instances.front()->task() != nullptr;
    const Plan plan = stepped ? single_thread_plan(application.plan, all) : application.plan;
    Results reference = results_before(application, results.options, graph);
    if (stepped) {
        run_verifying(reference, plan, graph, [](Run& run) { run.launch(run.plan().workers, run_bound_worker); });
    } else {
        run_verifying(reference, plan, graph, graph.schedule);
    }
    for (Reason& reason : reference.reasons) add_reason(results, reason.code, std::move(reason.message));

    const bool both_ran = results.reasons.empty();
    const bool itself = !stepped || application.plan.scheduler == "single_thread";
    const std::string_view whose = itself ? "a second run's" : "the single_thread scheduler's";
    Verification verification;
    for (std::size_t i = 0; i < reference.sinks.size(); ++i) {
        const SinkResult &mine = results.sinks[i], &theirs = reference.sinks[i];
        verification.sinks.push_back({mine.id, mine.items, theirs.items, mine.digest, theirs.digest});
        verification.items += mine.items;
        if (both_ran && !verification.sinks.back().ok()) {
            add_reason(results, ReasonCode::E_VERIFY, concat({mine.id, " differs from ", whose}));
        }
    }
    verification.ok = results.reasons.empty();
    verification.scheduler = itself ? application.plan.scheduler : "single_thread";
    verification.message = verification.ok ? concat({std::to_string(verification.items), " items equal to ", whose})
                                           : results.reasons.front().message;
    if (itself) {
        add_reason(results, ReasonCode::W_VERIFIED_BY_ITSELF,
                   concat({"compared with a second run of itself, because `", application.plan.scheduler,
                           "` is its only schedule. An error that occurs in both runs passes. `weir run --verify` "
                           "compares with a "
                           "reference"}));
    }
    return verification;
}

}  // namespace

Results verify(const Application& application, const Options& given) {
    Options options = given;
    options.run.trace = TraceBackend::off;
    options.run.metrics = Metrics::none;
    const BuiltFlowgraph graph = build_with_parameters(application, options);
    const std::vector<Tap> recorded = tapped(graph, options.taps);
    Results results = results_before(application, options, graph);
    run_verifying(results, application.plan, graph, graph.schedule);
    write_taps(options.out, recorded);
    add_counters(results, graph);
    if (!options.without_reference) results.verification = against_single_thread(results, application);
    return results;
}

}  // namespace weir::app
