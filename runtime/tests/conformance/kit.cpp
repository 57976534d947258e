#include "kit.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "weir/json_writer.hpp"
#include "weir/yield_point.hpp"

namespace weir::testing {
namespace {

void print(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
}

std::string line_of(std::string_view event, std::string_view text) {
    return "{\"event\": " + json_quoted(event) + ", \"text\": " + json_quoted(text) + "}";
}

std::string line_of(std::string_view event, const Finding& finding, const std::string& name, std::uint64_t seed) {
    return "{\"event\": " + json_quoted(event) + ", \"claim\": " + json_quoted(name_of(finding.claim)) +
           ", \"case\": " + json_quoted(name) + ", \"seed\": " + std::to_string(seed) +
           ", \"text\": " + json_quoted(finding.text) + "}";
}

std::ptrdiff_t threads_here() {
    std::error_code none;
    return std::distance(std::filesystem::directory_iterator("/proc/self/task", none), {});
}

/// Return whether more threads than `before` remain. A detached thread has a second to end.
bool more_stay_than(std::ptrdiff_t before) {
    for (int tries = 0; threads_here() > before; ++tries) {
        if (tries == 1'000) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

}  // namespace

void Report::begin(std::string name, std::uint64_t seed) {
    case_ = std::move(name);
    seed_ = seed;
    print("{\"event\": \"case\", \"case\": " + json_quoted(case_) + ", \"seed\": " + std::to_string(seed_) + "}");
}

void Report::tried(std::uint64_t runs, std::uint64_t cases) const {
    print("{\"event\": \"tried\", \"runs\": " + std::to_string(runs) + ", \"cases\": " + std::to_string(cases) + "}");
}

void Report::found(const Finding& finding) {
    clean_ = false;
    print(line_of("finding", finding, case_, seed_));
}

void Report::warn(const Finding& finding) { print(line_of("warning", finding, case_, seed_)); }
void Report::smaller(const std::string& graph) const { print(line_of("smaller", graph)); }
void Report::note(const std::string& text) const { print(line_of("note", text)); }

std::optional<Layout> lay_out(const SchedulerRow& scheduler, const Graph& graph, std::size_t workers,
                              std::uint64_t seed) {
    const std::size_t most = std::min(workers, scheduler.max_workers);
    Layout layout;
    if (scheduler.workers == "one") {
        layout.placement = on_one_worker(graph);
    } else if (scheduler.workers == "per_block" || scheduler.jobs == "instance") {
        layout.placement = on_one_each(graph);
    } else if (scheduler.jobs == "list") {
        layout.placement = dealt_out(graph, 1 + seed % 6, seed);
    } else {
        layout.placement = dealt_out(graph, most, seed);
    }
    if (!scheduler.jobs.empty()) layout.pool_workers = most;
    if (layout.threads() > scheduler.max_workers) return std::nullopt;
    return layout;
}

std::vector<WaitPolicy> waits_for(const SchedulerRow& scheduler, std::size_t threads) {
    std::vector<WaitPolicy> waits;
    for (const WaitPolicy wait : scheduler.waits) {
        if (wait == WaitPolicy::park || threads <= (wait == WaitPolicy::spin ? 4U : 8U)) waits.push_back(wait);
    }
    return waits;
}

std::string_view name_of(WaitPolicy wait) noexcept {
    constexpr std::string_view kNames[] = {"spin", "yield", "park"};
    return kNames[static_cast<std::size_t>(wait)];
}

Outcome run_case(const SchedulerRow& scheduler, const Graph& graph, const Layout& layout, Settings settings,
                 Report& report) {
    settings.pool_workers = layout.pool_workers;
    settings.does_not_stop = [&report](const Finding& finding) {
        report.found(finding);
        std::_Exit(EXIT_FAILURE);
    };
    seed_yields(settings.seed);
    std::thread([] {}).join();  // with a program's first thread, the thread sanitizer starts one that stays
    const std::ptrdiff_t before = threads_here();
    Outcome outcome = run_graph(graph, layout.placement, settings, [&](Run& run) { scheduler.run(run, 0); });
    if (!outcome.stuck && more_stay_than(before)) {
        outcome.stuck = Finding{Claim::ending, "the run has ended, but a thread of the scheduler still exists"};
    }
    return outcome;
}

}  // namespace weir::testing
