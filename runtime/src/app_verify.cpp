#include "app_parts.hpp"
#include "weir/text.hpp"
#include "weir/worker_loop.hpp"

namespace weir::app {

namespace {

/// The same instances on one worker, in topological order.
Plan single_thread_plan(const Plan& plan, const BuiltFlowgraph& graph) {
    Plan reference = plan;
    reference.policy = SchedulingPolicy::other;
    WorkerSpec worker{"reference", {}, {}};
    for (const Task* task : graph.tasks) worker.instances.push_back(task->spec().name);
    reference.workers = {std::move(worker)};
    reference.jobs.clear();
    return reference;
}

/// Runs untimed on counter data. What goes wrong is added to `results`.
void run_verifying(Results& results, const Plan& plan, const BuiltFlowgraph& graph, const std::function<void(Run&)>& schedule) {
    const Options& options = results.options;
    RunSetup setup;
    setup.spec = options.run;
    setup.verify = true;
    setup.project_dir = options.project_dir;
    setup.output_dir = options.out;
    Run run(plan, graph.tasks, graph.streams, std::move(setup));
    const Watched watched = run_watched(run, graph, results, schedule, {});
    const RunOutcome& outcome = run.outcome();
    if (outcome.complete) return;
    if (outcome.failure) add_failure(results, *outcome.failure);
    else if (watched.ending != Ending::finished) add_ending(results, watched.ending, watched.seen);
    else add_reason(results, ReasonCode::count_differs, "the scheduler returned before every block was done");
}

VerifiedSink compare(const Task& task, const Task& reference) {
    return {std::string(task.spec().name), task.counters().items_in.load(), reference.counters().items_in.load(),
            task.digest(), reference.digest()};
}

}  // namespace

Results verify(const Application& application, const Options& options) {
    const BuiltFlowgraph graph = build_with_parameters(application, options);
    const BuiltFlowgraph reference = build_with_parameters(application, options);
    Results results = results_before(application, options, graph);
    results.options.run.trace = TraceBackend::off;
    results.options.run.metrics = Metrics::none;

    run_verifying(results, application.plan, graph, graph.schedule);
    if (results.reasons.empty()) {
        const Plan plan = single_thread_plan(application.plan, reference);
        run_verifying(results, plan, reference, [](Run& run) { run.launch(run.plan().workers, run_bound_worker); });
    }
    add_counters(results, graph);

    const bool both_ran = results.reasons.empty();
    Verification verification;
    for (std::size_t i = 0; i < graph.tasks.size(); ++i) {
        if (!graph.tasks[i]->is_sink()) continue;
        VerifiedSink sink = compare(*graph.tasks[i], *reference.tasks[i]);
        results.sinks.push_back({sink.id, sink.items, std::nullopt, sink.digest});
        if (both_ran && !sink.ok()) {
            add_reason(results, ReasonCode::verification_differs, concat({sink.id, " differs from the single_thread scheduler's"}));
        }
        verification.sinks.push_back(std::move(sink));
    }
    verification.ok = results.reasons.empty();
    results.verification = std::move(verification);
    return results;
}

}  // namespace weir::app
