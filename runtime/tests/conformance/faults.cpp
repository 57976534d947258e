// Blocks that fail, stopped runs, and blocks that request to be called again at a certain time.
#include <atomic>
#include <chrono>

#include "kit.hpp"
#include "scheduler_shapes.hpp"

namespace weir::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kWorkers[] = {1, 2, 3};

std::string with(std::string_view name, WaitPolicy wait, const Layout& layout) {
    const std::size_t threads = layout.threads();
    return std::string(name) + ", " + std::string(name_of(wait)) + ", " + std::to_string(threads) +
           (threads == 1 ? " worker" : " workers");
}

/// Calls `body(layout, wait, seed)` for each layout and wait policy of the scheduler, until it returns false.
template <class Body>
void everywhere(const SchedulerRow& scheduler, const Graph& graph, const Effort& effort, Body body) {
    for (int round = 0; round < effort.rounds; ++round) {
        for (const std::size_t workers : kWorkers) {
            const std::uint64_t seed = effort.seed + static_cast<std::uint64_t>(round) * std::size(kWorkers) + workers;
            const auto layout = lay_out(scheduler, graph, workers, seed);
            if (!layout) continue;
            for (const WaitPolicy wait : waits_for(scheduler, layout->threads())) {
                if (!body(*layout, wait, seed)) return;
            }
            if (scheduler.workers != "chosen") break;
        }
    }
}

struct Broken {
    std::string_view name;
    Graph graph;
    std::vector<std::string_view> to_blame;
    std::string_view message = "as told";
};

// The sources end, so a run that drops its error either ends or stands still.
std::vector<Broken> broken_graphs() {
    return {
        {"an error halfway",
         {{Kind::source, {}, 20'000},
          {Kind::affine, {{0}}},
          {Kind::fail, {{1}}, 3'000},
          {Kind::sink, {{2}}},
          {Kind::sink, {{0}}}},
         {"op2"}},
        {"an error at the first item",
         {{Kind::source, {}, 5'000}, {Kind::fail, {{0}}, 0}, {Kind::sink, {{1}}}},
         {"op1"}},
        {"an error at the last item",
         {{Kind::source, {}, 500}, {Kind::fail, {{0}}, 499}, {Kind::sink, {{1}}}},
         {"op1"}},
        {"two errors at once",
         {{Kind::source, {}, 9'000},
          {Kind::fail, {{0}}, 700},
          {Kind::sink, {{1}}},
          {Kind::source, {}, 9'000},
          {Kind::fail, {{3}}, 700},
          {Kind::sink, {{4}}}},
         {"op1", "op4"}},
        {"an error while other blocks wait for an hour",
         {{Kind::sleeper, {}, 10},
          {Kind::sink, {{0}}},
          {Kind::source, {}, 5'000},
          {Kind::fail, {{2}}, 2'000},
          {Kind::sink, {{3}}}},
         {"op3"}},
        {"a block that cannot start",
         {{Kind::source, {}, 5'000}, {Kind::refuse, {{0}}}, {Kind::sink, {{1}}}},
         {"op1"},
         "not today"},
    };
}

std::optional<Finding> judge_broken(const Broken& broken, const Outcome& outcome) {
    if (outcome.stuck) return Finding{outcome.stuck->claim, outcome.stuck->text};
    const std::string should =
        std::string(broken.to_blame[0]) + " reported \"" + std::string(broken.message) + "\", but the run ";
    if (!outcome.run.failure) return Finding{Claim::errors, should + "reports no failure"};
    const auto& [instance, message] = *outcome.run.failure;
    if (std::ranges::find(broken.to_blame, instance) == broken.to_blame.end() || message != broken.message) {
        return Finding{Claim::errors, should + "reports that " + (instance.empty() ? "no block" : instance) +
                                          " failed: \"" + message + "\""};
    }
    return std::nullopt;
}

}  // namespace

void try_errors(const SchedulerRow& scheduler, const Effort& effort, Report& report) {
    std::uint64_t runs = 0, cases = 0;
    for (const Broken& broken : broken_graphs()) {
        ++cases;
        everywhere(scheduler, broken.graph, effort, [&](const Layout& layout, WaitPolicy wait, std::uint64_t seed) {
            report.begin(with(broken.name, wait, layout), seed);
            Settings settings;
            settings.seed = seed;
            settings.wait = wait;
            ++runs;
            const Outcome outcome = run_case(scheduler, broken.graph, layout, settings, report);
            if (const auto found = judge_broken(broken, outcome)) report.found(*found);
            return report.clean();
        });
        if (!report.clean()) break;
    }
    report.tried(runs, cases);
}

void try_stops(const SchedulerRow& scheduler, const Effort& effort, Report& report) {
    const NamedShape endless[] = {
        {"a chain without end", chain_of(0, 3)},
        {"a fork without end",
         {{Kind::source, {}, 0}, {Kind::affine, {{0}}}, {Kind::sink, {{0}}}, {Kind::sink, {{1}}}}},
        {"blocks that wait, without end", {{Kind::drip, {}, 0}, {Kind::pacer, {{0}}}, {Kind::sink, {{1}}}}},
        {"all blocks wait for an hour", {{Kind::sleeper, {}, 10}, {Kind::affine, {{0}}}, {Kind::sink, {{1}}}}},
    };
    constexpr std::uint64_t kMoments = 6;
    std::uint64_t runs = 0, cases = 0;
    for (const NamedShape& shape : endless) {
        ++cases;
        everywhere(scheduler, shape.graph, effort, [&](const Layout& layout, WaitPolicy wait, std::uint64_t seed) {
            for (std::uint64_t moment = 0; moment < kMoments && report.clean(); ++moment) {
                Random random(seed * kMoments + moment);
                Settings settings;
                settings.seed = seed;
                settings.wait = wait;
                settings.stop_after = std::chrono::microseconds(moment == 0 ? 0 : random.below(4'000));
                const std::string when = ", stopped after " + std::to_string(settings.stop_after->count()) + " us";
                report.begin(with(std::string(shape.name) + when, wait, layout), seed);
                ++runs;
                const Outcome outcome = run_case(scheduler, shape.graph, layout, settings, report);
                if (const auto& failure = outcome.run.failure) {
                    report.found({Claim::errors, "no block failed, but the run reports a failure of " +
                                                     failure->instance + ": " + failure->message});
                } else if (outcome.run.complete) {
                    report.found({Claim::ending, "the run reports that it is complete, but its source never ends"});
                }
            }
            return report.clean();
        });
        if (!report.clean()) break;
    }
    report.tried(runs, cases);
}

namespace {

/// One block waits for an hour beside an independent chain.
Graph hour_beside_a_chain() {
    return {{Kind::sleeper, {}, 10},
            {Kind::sink, {{0}}},
            {Kind::source, {}, 20'000},
            {Kind::affine, {{2}}},
            {Kind::sink, {{3}}}};
}

/// Waits until the chain has finished, then observes the idle run for a while.
class Watch {
  public:
    bool operator()(std::span<Task* const> tasks) {
        constexpr auto kWhile = std::chrono::milliseconds(200);
        if (tasks[4]->state() != StepStatus::done) return false;
        if (calls_ == 0) {
            calls_ = calls(tasks);
            cpu_ns_ = cpu_ns();
            since_ = Clock::now();
        }
        if (Clock::now() - since_ < kWhile) return false;
        idle_calls_ = calls(tasks) - calls_;
        idle_cpu_ms_ = (cpu_ns() - cpu_ns_) / 1'000'000;
        return true;
    }
    std::uint64_t idle_calls() const noexcept { return idle_calls_; }
    std::int64_t idle_cpu_ms() const noexcept { return idle_cpu_ms_; }

  private:
    static std::uint64_t calls(std::span<Task* const> tasks) { return tasks[0]->counters().calls() + 1; }
    /// CPU time of all threads. The observing thread is included, but it looks only a thousand times per second.
    static std::int64_t cpu_ns() {
        timespec used{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        return used.tv_sec * 1'000'000'000LL + used.tv_nsec;
    }

    std::uint64_t calls_ = 0, idle_calls_ = 0;
    std::int64_t cpu_ns_ = 0, idle_cpu_ms_ = 0;
    Clock::time_point since_{};
};

}  // namespace

void try_timers(const SchedulerRow& scheduler, const Effort& effort, Report& report) {
    constexpr std::uint64_t kManyCalls = 1'000;
    constexpr std::int64_t kMuchCpu_ms = 80;  // of the idle 200 ms
    const NamedShape timed[] = {
        {"a source that waits", {{Kind::drip, {}, 2'000}, {Kind::affine, {{0}}}, {Kind::sink, {{1}}}}},
        {"a source and a block that wait, forked",
         {{Kind::drip, {}, 1'000}, {Kind::pacer, {{0}}}, {Kind::sink, {{0}}}, {Kind::sink, {{1}}}}},
        {"timed waits", shape_named("timed waits").graph},
        // Longer than any worker polls before it sleeps.
        {"a source that rests for 20 ms", {{Kind::sleeper, {}, 5, 20}, {Kind::affine, {{0}}}, {Kind::sink, {{1}}}}},
    };
    std::uint64_t runs = 0, cases = 0;
    for (const NamedShape& shape : timed) {
        const Reference reference = evaluate(shape.graph);
        ++cases;
        everywhere(scheduler, shape.graph, effort, [&](const Layout& layout, WaitPolicy wait, std::uint64_t seed) {
            report.begin(with(shape.name, wait, layout), seed);
            Settings settings;
            settings.seed = seed;
            settings.wait = wait;
            ++runs;
            const Outcome outcome = run_case(scheduler, shape.graph, layout, settings, report);
            if (const auto found = judge(shape.graph, reference, outcome, false)) report.found(*found);
            return report.clean();
        });
        if (!report.clean()) break;
    }
    const Graph graph = hour_beside_a_chain();
    bool polls = false;
    ++cases;
    everywhere(scheduler, graph, effort, [&](const Layout& layout, WaitPolicy wait, std::uint64_t seed) {
        if (!report.clean()) return false;
        report.begin(with("one block waits for an hour, the others continue", wait, layout), seed);
        Watch watch;
        Settings settings;
        settings.wait = wait;
        settings.stop_when = std::ref(watch);
        ++runs;
        const Outcome outcome = run_case(scheduler, graph, layout, settings, report);
        if (outcome.stuck) {
            report.found(
                {Claim::timers, "while op0 waits for an hour, op2 to op4 do not continue\n" + outcome.stuck->text});
        } else if (wait == WaitPolicy::park && watch.idle_calls() > kManyCalls && !polls) {
            polls = true;
            report.warn({Claim::timers, "op0 requested its next call in an hour, but was called " +
                                            std::to_string(watch.idle_calls()) +
                                            " times in 200 ms without other work, although workers must park"});
        } else if (wait == WaitPolicy::park && watch.idle_cpu_ms() > kMuchCpu_ms && !polls) {
            polls = true;
            report.warn({Claim::timers, "op0 waits for an hour, but the workers, which must park, used " +
                                            std::to_string(watch.idle_cpu_ms()) +
                                            " ms of CPU time in 200 ms without other work"});
        }
        return report.clean();
    });
    report.tried(runs, cases);
}

}  // namespace weir::testing
