#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "app_parts.hpp"
#include "weir/atomic_file.hpp"
#include "weir/json_writer.hpp"
#include "weir/text.hpp"

namespace weir::app {

namespace {

/// Write the results so far and exit without running destructors, because the workers still use the run's memory.
[[noreturn]] void give_up(Results results, const BuiltFlowgraph& graph, Ending ending, const WatchdogResult& seen) {
    add_counters(results, graph);
    results.watchdog = seen;
    add_ending(results, ending, seen);
    add_reason(results, ReasonCode::E_WORKERS_STUCK, "the workers did not stop when Weir requested it");
    const std::string problem = write_results(results);
    const std::string text = problem.empty() ? summary_text(results, (results.options.out / "results.json").string())
                                             : concat({"error: ", problem, "\n"});
    std::fputs(text.c_str(), stderr);
    std::fflush(nullptr);
    ::_exit(problem.empty() ? kExitRun : kExitUnwritten);
}

}  // namespace

Watched run_watched(Run& run, const BuiltFlowgraph& graph, const Results& so_far,
                    const std::function<void(Run&)>& schedule, std::function<void(double flowing_s)> tick) {
    Watchdog watchdog({
        .timeout_s = so_far.options.run.timeout_s,
        .stall_s = so_far.options.stall_s,
        .instances = graph.instances,
        .streams = graph.streams,
        .stop = [&run] { run.stop(); },
        .began_ns = [&run] { return run.began_ns(); },
        .tick = std::move(tick),
        .give_up = [&](Ending ending, const WatchdogResult& seen) { give_up(so_far, graph, ending, seen); },
    });
    schedule(run);
    const Ending ending = watchdog.finish();
    return {ending, watchdog.seen()};
}

Results measure(const Application& application, const Options& options) {
    const BuiltFlowgraph graph = build_with_parameters(application, options);
    Results results = results_before(application, options, graph);
    std::string note;
    const std::shared_ptr<trace::Tracer> tracer = trace::make_tracer(options.run.trace, options.run.events, note);
    results.trace.backend = tracer->backend();
    if (!note.empty() && tracer->backend() == TraceBackend::memory)
        add_reason(results, ReasonCode::N_TRACE_IN_MEMORY, note);

    RunSetup setup;
    setup.spec = options.run;
    setup.tracer = tracer.get();
    setup.project_dir = options.project_dir;
    setup.output_dir = options.out;
    MachineReading machine_before;
    EnergyMeter energy(application.sysfs);
    setup.at_barrier = [&] {
        machine_before = read_machine(options.beside);
        energy.read();
    };
    Run run(application.plan, graph.instances, graph.streams, std::move(setup));

    results.speed_check = speed_check_before(application, options);
    const ClockReading clocks_before = application.read_clocks();
    const Progress progress(application, options, graph);
    const auto tick = [&](double flowing_s) {
        energy.keep_up();
        if (options.progress_json) progress.report(flowing_s);
    };
    const auto schedule = [&](Run& scheduled) {
        graph.schedule(scheduled);
        energy.read();
    };
    const Watched watched = run_watched(run, graph, results, schedule, tick);

    results.clocks = ClockSpan{clocks_before, application.read_clocks()};
    const MachineReading machine_after = read_machine(options.beside);
    add_counters(results, graph);
    if (!run.outcome().complete) add_ending(results, watched.ending, watched.seen);
    add_outcome(results, graph, run, *tracer);
    if (tracer->backend() == TraceBackend::memory) results.recording = tracer;
    add_cpu_counts(results, run.outcome(), application.sysfs);
    add_load(results, graph, run.outcome());
    if (run.began_ns() != 0) add_energy(results, graph, energy.spent());
    add_interference(results, run.outcome(), machine_before, machine_after);
    add_throttling(results, run.outcome(), realtime_rights());
    for (Reason& reason : check_clocks(*results.clocks)) results.reasons.push_back(std::move(reason));
    if (run.outcome().complete) speed_check_after(application, results);
    if (options.progress_json) progress.report(results.elapsed_s.value_or(0));
    return results;
}

std::string write_results(const Results& results) {
    const std::filesystem::path events = results.options.out / kEventsFile;
    if (results.recording) {
        std::vector<std::string_view> logs;
        for (const auto log : results.recording->records())
            logs.emplace_back(reinterpret_cast<const char*>(log.data()), log.size_bytes());
        const std::string problem = write_atomically(events, logs);
        if (!problem.empty()) return problem;
    }
    const std::string json = results_json(results);
    const std::string_view parts[] = {json};
    std::string problem = write_atomically(results.options.out / "results.json", parts);
    if (!problem.empty()) {
        std::error_code gone;  // events without results.json are worse than nothing
        std::filesystem::remove(events, gone);
    }
    return problem;
}

Progress::Progress(const Application& application, const Options& options, const BuiltFlowgraph& graph)
    : run_id_(options.run_id), total_(options.run.items * application.plan.metered.size()) {
    for (const std::uint32_t task : application.plan.metered) {
        for (const Instance* replica : graph.of(task)) metered_.push_back(replica);
    }
}

void Progress::report(double flowing_s) const {
    std::uint64_t done = 0;
    for (const Instance* task : metered_) done += task->counters().items_out.load(std::memory_order_relaxed);
    if (total_ != 0) done = std::min(done, total_);  // a source runs ahead of the head that bounds it
    const double rate = flowing_s > 0 ? static_cast<double>(done) / flowing_s : 0;
    std::optional<double> eta_s;
    if (total_ != 0 && rate > 0) eta_s = static_cast<double>(total_ - done) / rate;
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::line);
    json.field("phase", "run");
    json.field("done", done);
    json.field("total", total_ != 0 ? std::optional(total_) : std::nullopt);
    json.field("eta_s", eta_s);
    json.field("run_id", run_id_);
    json.field("items_per_s", rate);
    json.end_object();
    std::fputs(json.take().c_str(), stderr);
}

}  // namespace weir::app
