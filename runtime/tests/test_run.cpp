// Run behaviour outside the schedulers: threads, pinning, failures, the window.
#include "weir/run.hpp"

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "flow/flow.hpp"
#include "test_graph.hpp"

namespace {

using namespace weir;
using namespace weir::testing;
using namespace std::string_view_literals;

Graph small() { return {{Kind::source, {}, 500}, {Kind::affine, {{0}}}, {Kind::sink, {{1}}}}; }

/// Small graph whose plan a test may change.
struct Planned {
    Flowgraph flowgraph;
    Plan plan = flowgraph.plan();
    explicit Planned(Placement (*place)(const Graph&), const Settings& settings = {})
        : flowgraph(small(), place(small()), settings) {}
};

TEST(Run, PinsAndNamesItsWorkers) {
    Planned it(on_one_each);
    auto& [flowgraph, plan] = it;
    const int cpu = thread_cpus().front();
    plan.workers[1].cpus = std::span(&cpu, 1);
    plan.workers[1].name = "a_name_longer_than_the_kernel_keeps";
    weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
    std::string kernel_name, allowed;
    run.launch(plan.workers, [&](Worker& worker) {
        if (worker.index == 1) {
            std::ifstream status("/proc/thread-self/status");
            for (std::string line; std::getline(status, line);) {
                if (line.starts_with("Name:")) kernel_name = line;
                if (line.starts_with("Cpus_allowed_list:")) allowed = line;
            }
        }
        run_bound_worker(worker);
    });
    EXPECT_TRUE(run.outcome().complete);
    EXPECT_EQ(kernel_name, "Name:\ta_name_longer_t");
    EXPECT_EQ(allowed, "Cpus_allowed_list:\t" + std::to_string(cpu));
    ASSERT_EQ(run.outcome().threads.size(), 3U);
    const ThreadReport& report = run.outcome().threads[1];
    EXPECT_EQ(report.name, plan.workers[1].name);
    EXPECT_EQ(report.cpus_granted, std::vector<int>{cpu});
    EXPECT_EQ(report.cpu, cpu);
    EXPECT_EQ(report.affinity_error, "");
    EXPECT_GT(report.tid, 0);
    EXPECT_GT(report.cpu_time_s, 0.0);
    EXPECT_GE(report.voluntary_switches, 0);
}

TEST(Run, ReportsRefusalsOfTheKernel) {
    Planned it(on_one_worker);
    auto& [flowgraph, plan] = it;
    const int cpus[] = {thread_cpus().front(), 1023};
    plan.workers[0].cpus = cpus;
    plan.policy = SchedulingPolicy::fifo;
    plan.priority = 1000;  // above the kernel's range
    plan.memory.numa = "nowhere";
    weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
    schedulers::Flow{}.run(run);
    EXPECT_TRUE(run.outcome().complete);
    const ThreadReport& report = run.outcome().threads[0];
    EXPECT_EQ(report.affinity_error, "not granted: cpu 1023");
    EXPECT_EQ(report.priority_error, "Invalid argument");
    EXPECT_EQ(report.scheduling.policy, SchedulingPolicy::other);
    EXPECT_EQ(report.numa_error, "no NUMA node 'nowhere'");
}

/// Three threads that the run did not create, with one task each.
void step_each(weir::Run& run) {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker < run.tasks().size(); ++worker) {
        threads.emplace_back([&run, worker] {
            run.enter(worker);
            Task& task = *run.tasks()[worker];
            while (!run.stopping()) {
                const StepResult result = task.turn(8, Leave::nothing);
                if (result.status == StepStatus::done) {
                    run.task_done(task);
                    break;
                }
                std::this_thread::yield();
            }
            run.leave(worker);
        });
    }
}

TEST(Run, IsHostedByOtherThreads) {
    Planned it(on_one_each);
    auto& [flowgraph, plan] = it;
    const int cpus[] = {1023};
    plan.workers[2].cpus = cpus;
    weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
    bool began = false;
    run.host(plan.workers, [&] {
        step_each(run);
        began = run.began_ns() > 0;
    });
    EXPECT_TRUE(began);
    EXPECT_TRUE(run.outcome().complete);
    EXPECT_GE(run.outcome().elapsed_ns, 0);
    ASSERT_EQ(run.outcome().threads.size(), 3U);
    EXPECT_EQ(run.outcome().threads[1].name, plan.workers[1].name);
    EXPECT_EQ(run.outcome().threads[1].affinity_error, "");
    EXPECT_GT(run.outcome().threads[1].cpu_time_s, 0.0);
    EXPECT_EQ(run.outcome().threads[2].affinity_error, "not granted: cpu 1023");  // and none was requested
}

/// All tasks on the calling thread.
void step_all(weir::Run& run) {
    std::vector<Task*> live(run.tasks().begin(), run.tasks().end());
    while (!live.empty()) {
        std::erase_if(live, [&](Task* task) {
            const bool is_done = task->turn(8, Leave::nothing).status == StepStatus::done;
            if (is_done) run.task_done(*task);
            return is_done;
        });
    }
}

TEST(Run, CountsAnAbsentWorkerAsEntered) {
    Planned it(on_one_each);
    auto& [flowgraph, plan] = it;
    const int cpus[] = {thread_cpus().front()};
    plan.workers[1].cpus = cpus;
    plan.workers[1].scheduling = Scheduling{.policy = SchedulingPolicy::fifo, .priority = 1};
    weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
    const Worker* here = nullptr;
    run.host(plan.workers, [&] {
        run.absent(1);
        run.absent(2);
        run.enter(0);
        here = run.hosted_here();
        EXPECT_EQ(here->index, 0U);
        step_all(run);
        run.leave(0);
        EXPECT_EQ(run.hosted_here(), nullptr);
    });
    EXPECT_NE(here, nullptr);
    EXPECT_EQ(weir::Run::hosted_here(), nullptr);
    EXPECT_TRUE(run.outcome().complete);
    EXPECT_EQ(run.outcome().threads[1].tid, 0);
    EXPECT_EQ(run.outcome().threads[1].affinity_error, "the peer runtime gave no thread to read it from");
    EXPECT_EQ(run.outcome().threads[1].priority_error, "the peer runtime gave no thread to set it on");
    EXPECT_EQ(run.outcome().threads[2].affinity_error + run.outcome().threads[2].priority_error, "");
}

TEST(Run, IsHostedByThreadsBetweenWhichBlocksMove) {
    Planned it(on_one_each, {.pool_workers = 2});
    auto& [flowgraph, plan] = it;
    weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
    run.host(plan.workers, [&] {
        std::jthread other([&run] {
            run.enter(1);
            run.leave(1);
        });
        run.enter(0);
        other.join();  // the block that the other thread began works here
        step_all(run);
        run.leave(0);
    });
    EXPECT_FALSE(run.outcome().failure.has_value());
    EXPECT_TRUE(run.outcome().complete);
    EXPECT_EQ(run.outcome().threads.size(), 2U);
}

TEST(Run, FailsIfItsHostFailsBeforeAnyThreadEntered) {
    Planned it(on_one_each);
    auto& [flowgraph, plan] = it;
    weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
    run.host(plan.workers, [] { throw std::runtime_error("no such buffer"); });
    EXPECT_FALSE(run.outcome().complete);
    EXPECT_EQ(run.outcome().failure.value_or(Failure{}).message, "no such buffer");
}

TEST(Run, RefusesAPlanThatDoesNotFitItsTasks) {
    const auto failure_of = [&](const std::function<void(Plan&)>& spoil) {
        Planned it(on_one_worker);
        auto& [flowgraph, plan] = it;
        spoil(plan);
        weir::Run run(plan, flowgraph.tasks(), flowgraph.streams());
        schedulers::Flow{}.run(run);
        EXPECT_FALSE(run.outcome().complete);
        return run.outcome().failure.value_or(Failure{}).message;
    };
    EXPECT_EQ(failure_of([](Plan& plan) { plan.workers[0].tasks = tasks<0, 1>; }), "instance op2 is on no worker");
    EXPECT_EQ(failure_of([](Plan& plan) { plan.workers[0].tasks = tasks<0, 1, 3>; }),
              "worker worker0: task 3 does not exist");
    EXPECT_EQ(failure_of([](Plan& plan) { plan.workers.push_back(plan.workers[0]); }),
              "instance op0 is on worker worker0 and on worker worker0");
}

struct Awkward {
    struct Params {
        bool throws_in_start = false, throws_in_stop = false;
    };
    Params params;
    bool began = false, stopped = false;
    std::uint64_t seed = 0;
    std::int64_t barrier_ns = 0;
    std::filesystem::path output_dir;
    void start(const BlockContext& context) {
        seed = context.seed;
        output_dir = context.output_dir;
        if (params.throws_in_start) throw std::runtime_error("cannot open");
    }
    void begin(std::int64_t ns) noexcept { barrier_ns = ns; }
    void stop() {
        stopped = true;
        if (params.throws_in_stop) throw std::runtime_error("cannot flush");
    }
    WorkResult work(In<Item>& in) noexcept {
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

struct AwkwardGraph {
    Stream<Item> source_out{{.name = "source.out", .items = 64, .kind = StreamKind::linear}};
    Node<Source> source;
    Node<Awkward> sink;
    Plan plan;
    explicit AwkwardGraph(Awkward::Params params)
        : source({.name = "source"}, {.items = 100}, ins(), outs(source_out)),
          sink({.name = "sink"}, params, ins(source_out), outs()) {
        plan.workers = {{"w0", {}, tasks<0, 1>}};
        plan.run.seed = 42;
    }
};

TEST(Run, GivesBlocksTheirSeedFolderAndBarrier) {
    AwkwardGraph graph({});
    RunSetup setup;
    setup.spec = graph.plan.run;
    setup.output_dir = "/somewhere";
    weir::Run run(graph.plan, {&graph.source, &graph.sink}, {&graph.source_out}, setup);
    schedulers::Flow{}.run(run);
    EXPECT_TRUE(run.outcome().complete);
    const Awkward& sink = graph.sink.block();
    EXPECT_EQ(sink.seed, instance_seed(42, "sink", 4));
    EXPECT_EQ(sink.output_dir, "/somewhere");
    EXPECT_EQ(sink.barrier_ns, run.outcome().barrier_ns);
    EXPECT_TRUE(sink.stopped);
}

/// Records the threads on which it begins and works.
struct Probe {
    struct Params {};
    Params params;
    std::thread::id began_on, worked_on;
    WorkResult work(In<Item>& in) noexcept {
        worked_on = std::this_thread::get_id();
        in.consume(in.size());
        return WorkStatus::ok;
    }
    void begin(std::int64_t) noexcept { began_on = std::this_thread::get_id(); }
};

TEST(Run, ABlockBeginsOnItsWorker) {
    Stream<Item> source_out{{.name = "source.out", .items = 64, .readers = 2}};
    Node<Source> source({.name = "source"}, {.items = 1'000}, ins(), outs(source_out));
    Node<Probe> left({.name = "left"}, {}, ins(source_out), outs()),
        right({.name = "right"}, {}, ins(source_out), outs());
    Plan plan;
    plan.workers = {{"w0", {}, tasks<0, 1>}, {"w1", {}, tasks<2>}};
    weir::Run run(plan, {&source, &left, &right}, {&source_out});
    schedulers::Flow{}.run(run);
    ASSERT_TRUE(run.outcome().complete);
    EXPECT_EQ(left.block().began_on, left.block().worked_on);
    EXPECT_EQ(right.block().began_on, right.block().worked_on);
    EXPECT_NE(left.block().began_on, right.block().began_on);
    EXPECT_NE(left.block().began_on, std::this_thread::get_id());
}

TEST(Run, ThrowingStartNamesItsInstanceAndNothingRuns) {
    AwkwardGraph graph({.throws_in_start = true});
    weir::Run run(graph.plan, {&graph.source, &graph.sink}, {&graph.source_out});
    schedulers::Flow{}.run(run);
    ASSERT_TRUE(run.outcome().failure);
    EXPECT_EQ(run.outcome().failure->instance, "sink");
    EXPECT_EQ(run.outcome().failure->message, "cannot open");
    EXPECT_EQ(graph.source.counters().items_out, 0U);
    EXPECT_FALSE(run.outcome().complete);
}

TEST(Run, ThrowingStopNamesItsInstance) {
    AwkwardGraph graph({.throws_in_stop = true});
    weir::Run run(graph.plan, {&graph.source, &graph.sink}, {&graph.source_out});
    schedulers::Flow{}.run(run);
    ASSERT_TRUE(run.outcome().failure);
    EXPECT_EQ(run.outcome().failure->instance, "sink");
    EXPECT_EQ(run.outcome().failure->message, "cannot flush");
    EXPECT_FALSE(run.outcome().complete);
}

TEST(Run, StoppedBeforeItBegins) {
    Planned it(on_one_each);
    weir::Run run(it.plan, it.flowgraph.tasks(), it.flowgraph.streams());
    run.stop();
    schedulers::Flow{}.run(run);
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_FALSE(run.outcome().complete);
}

TEST(Run, WindowOpensWhenTheLastSinkIsWarmAndClosesWithTheFirst) {
    Graph graph{{Kind::source, {}, 10'000}, {Kind::sink, {{0}}}, {Kind::sink, {{0}}}, {Kind::sink, {{0}}, 6'000}};
    Settings settings;
    settings.warmup_items = 2'000;
    const Outcome outcome =
        run_graph(graph, on_one_worker(graph), settings, [](weir::Run& run) { schedulers::Flow{}.run(run); });
    ASSERT_TRUE(outcome.run.complete) << outcome.diagnosis;
    ASSERT_TRUE(outcome.run.window_items);
    // The window lasts from the moment when all three have 2000 items until the third has 6000. Items in the stream
    // shift it by up to one buffer.
    EXPECT_NEAR(static_cast<double>(*outcome.run.window_items), 4'000.0, 512.0);
    EXPECT_LT(outcome.run.window->duration_ns(), outcome.run.elapsed_ns);
}

TEST(Run, AWarmUpOfAllItemsOrMoreLeavesNoWindow) {
    for (const std::uint64_t warmup_items : {500U, 501U}) {
        const Graph graph = small();
        const Outcome outcome = run_graph(graph, on_one_worker(graph), {.warmup_items = warmup_items},
                                          [](weir::Run& run) { schedulers::Flow{}.run(run); });
        EXPECT_TRUE(outcome.run.complete);
        EXPECT_FALSE(outcome.run.window || outcome.run.window_items);
    }
}

TEST(Run, WithoutWarmUpTheWindowIsTheWholeRun) {
    const Graph graph = small();
    const Outcome outcome =
        run_graph(graph, on_one_worker(graph), {}, [](weir::Run& run) { schedulers::Flow{}.run(run); });
    EXPECT_EQ(outcome.run.window_items, 500U);
    EXPECT_EQ(outcome.run.window->duration_ns(), outcome.run.elapsed_ns);
}

}  // namespace
