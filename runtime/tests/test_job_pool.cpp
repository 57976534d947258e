// Jobs that move between workers: their states, the ring in which they wait, and other duties of a pool. Results of
// whole graphs are in test_schedulers.cpp.
#include "weir/job_pool.hpp"

#include <chrono>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "test_graph.hpp"
#include "thread_pool/thread_pool.hpp"
#include "weir/clock.hpp"
#include "weir/job_ring.hpp"
#include "weir/lists.hpp"
#include "weir/victims.hpp"
#include "work_stealing/work_stealing.hpp"

namespace {

using namespace weir;
using namespace weir::testing;
using Value = TaskState::Value;

TEST(TaskState, AWakeUpDuringAStepIsKept) {
    TaskState state(Value::idle);
    EXPECT_TRUE(state.wake(fence_before_waking()));
    EXPECT_FALSE(state.wake(fence_before_waking())) << "it is in a queue already";
    EXPECT_TRUE(state.claim());
    EXPECT_FALSE(state.claim()) << "someone else has it";
    EXPECT_FALSE(state.wake(fence_before_waking()));
    EXPECT_EQ(state.value(), Value::rerun);
    EXPECT_FALSE(state.rest());
    EXPECT_EQ(state.value(), Value::queued);
    EXPECT_TRUE(state.claim());
    EXPECT_TRUE(state.rest());
    EXPECT_EQ(state.value(), Value::idle);
}

TEST(TaskState, YieldQueuesTheJobWokenOrNot) {
    TaskState state;
    for (const bool woken : {false, true}) {
        EXPECT_TRUE(state.claim());
        if (woken) {
            EXPECT_FALSE(state.wake(fence_before_waking()));
        }
        state.yield();
        EXPECT_EQ(state.value(), Value::queued);
    }
}

TEST(TaskState, ADoneJobIsNotWoken) {
    TaskState state;
    EXPECT_TRUE(state.claim());
    EXPECT_FALSE(state.wake(fence_before_waking()));
    state.finish();
    EXPECT_FALSE(state.wake(fence_before_waking()));
    EXPECT_FALSE(state.claim());
    EXPECT_EQ(state.value(), Value::done);
}

TEST(Victims, NearOnesComeFirstInVaryingOrder) {
    const std::vector<WorkerSpec> workers{{.name = "w0", .distances = distances<0, 3, 1, 1, 3>}, {}, {}, {}, {}};
    Victims victims(workers, 0);
    std::vector<int> first(workers.size());
    for (int round = 0; round < 200; ++round) {
        std::vector<std::size_t> tried;
        EXPECT_EQ(victims.first([&tried](std::size_t worker) -> Job* { return tried.push_back(worker), nullptr; }),
                  nullptr);
        ASSERT_EQ(tried.size(), 4U) << "each of the others once";
        EXPECT_EQ(tried[0] + tried[1], 2U + 3U);
        EXPECT_EQ(tried[2] + tried[3], 1U + 4U);
        ++first[tried[0]];
    }
    EXPECT_GT(first[2], 50);
    EXPECT_GT(first[3], 50);
    Job job;
    int tries = 0;
    EXPECT_EQ(victims.first([&](std::size_t) { return ++tries, &job; }), &job);
    EXPECT_EQ(tries, 1) << "who has something is enough";
    const std::vector<WorkerSpec> one(1);
    Victims alone(one, 0);
    EXPECT_EQ(alone.first([&](std::size_t) { return &job; }), nullptr);
}

TEST(Victims, EquallyNearOnesComeInVaryingOrder) {
    const std::vector<WorkerSpec> workers(4);
    Victims victims(workers, 1);
    std::vector<int> first(workers.size());
    Job job;
    for (int round = 0; round < 300; ++round) victims.first([&](std::size_t worker) { return ++first[worker], &job; });
    EXPECT_EQ(first[1], 0);
    for (const std::size_t other : {0, 2, 3}) EXPECT_GT(first[other], 50);
}

TEST(JobRing, TakesOldestFirstManyTimesAround) {
    constexpr std::size_t kJobs = 5;
    const auto jobs = std::make_unique<Job[]>(kJobs);
    JobRing ring(kJobs);
    EXPECT_EQ(ring.take(), nullptr);
    for (int round = 0; round < 100; ++round) {
        for (std::size_t i = 0; i < kJobs; ++i) ring.put(jobs[i]);
        for (std::size_t i = 0; i < kJobs; ++i) ASSERT_EQ(ring.take(), &jobs[i]);
        ASSERT_EQ(ring.take(), nullptr);
    }
}

template <class Scheduler> class Pools : public ::testing::Test {};
using Both = ::testing::Types<schedulers::ThreadPool, schedulers::WorkStealing>;
TYPED_TEST_SUITE(Pools, Both);

Graph wide(std::uint64_t items) {
    Graph graph{{Kind::source, {}, items}};
    for (int i = 0; i < 6; ++i) graph.push_back({Kind::affine, {{graph.size() - 1}}});
    graph.push_back({Kind::sink, {{graph.size() - 1}}});
    return graph;
}

TYPED_TEST(Pools, RefuseAPlanThatDoesNotFitItsTasks) {
    const auto failure_of = [&](const std::function<void(Plan&)>& spoil) {
        Settings settings;
        settings.pool_workers = 2;
        const Graph graph = wide(10);
        Flowgraph flowgraph(graph, on_one_each(graph), settings);
        Plan plan = flowgraph.plan();
        spoil(plan);
        Run run(plan, flowgraph.tasks(), flowgraph.streams());
        TypeParam{}.run(run);
        EXPECT_FALSE(run.outcome().complete);
        return run.outcome().failure.value_or(Failure{}).message;
    };
    EXPECT_EQ(failure_of([](Plan& plan) { plan.jobs.pop_back(); }), "instance op7 is on no job");
    EXPECT_EQ(failure_of([](Plan& plan) { plan.jobs[0].tasks = tasks<8>; }), "job job0: task 8 does not exist");
    EXPECT_EQ(failure_of([](Plan& plan) { plan.jobs.push_back(plan.jobs[1]); }),
              "instance op1 is on job job1 and on job job1");
    EXPECT_EQ(failure_of([](Plan& plan) { plan.workers.clear(); }), "the plan has jobs but no worker");
}

TYPED_TEST(Pools, MoreWorkersThanJobs) {
    Settings settings;
    settings.pool_workers = 9;
    const Graph graph{{Kind::source, {}, 5'000}, {Kind::sink, {{0}}}};
    for (const WaitPolicy wait : {WaitPolicy::park, WaitPolicy::yield}) {
        settings.wait = wait;
        const Outcome outcome = run_graph(graph, on_one_each(graph), settings, [](Run& run) { TypeParam{}.run(run); });
        EXPECT_TRUE(outcome.run.complete) << outcome.diagnosis;
        EXPECT_EQ(outcome.items[1], 5'000U);
        EXPECT_EQ(outcome.run.threads.size(), 9U);
    }
}

// Each worker writes its own log, even at the first run of a job: times in a log never decrease.
TYPED_TEST(Pools, EventsGoToTheLogOfTheRunningWorker) {
    Settings settings;
    settings.pool_workers = 3;
    settings.seed = 5;
    settings.chunk = 16;
    const Graph graph = wide(20'000);
    Flowgraph flowgraph(graph, on_one_each(graph), settings);
    std::string note;
    const std::vector<std::string_view> events{"work", "park", "steal"};
    const auto tracer = trace::make_tracer(TraceBackend::memory, events, note);
    RunSetup setup;
    setup.spec = flowgraph.plan().run;
    setup.spec.events = events;
    setup.tracer = tracer.get();
    Run run(flowgraph.plan(), flowgraph.tasks(), flowgraph.streams(), setup);
    TypeParam{}.run(run);
    ASSERT_TRUE(run.outcome().complete);
    EXPECT_EQ(tracer->discarded(), 0U);
    const auto logs = tracer->records();
    ASSERT_EQ(logs.size(), 3U);
    std::vector<std::uint64_t> entries(graph.size()), exits(graph.size());
    for (const auto& records : logs) {
        std::int64_t last = 0;
        std::optional<std::uint32_t> worker;
        for (const trace::Record& record : records) {
            ASSERT_GE(record.time_ns, last);
            last = record.time_ns;
            switch (record.event) {
                case trace::Event::work_entry: ++entries[record.id]; break;
                case trace::Event::work_exit: ++exits[record.id]; break;
                case trace::Event::steal: ASSERT_LT(record.value, graph.size()); [[fallthrough]];
                case trace::Event::park:
                case trace::Event::unpark:
                    ASSERT_EQ(worker.value_or(record.id), record.id) << "another worker's event";
                    worker = record.id;
                    break;
                default: break;
            }
        }
    }
    for (std::size_t op = 0; op < graph.size(); ++op) {
        EXPECT_EQ(entries[op], exits[op]);
        EXPECT_EQ(entries[op], flowgraph.task(op).counters().calls());
    }
}

/// Waits forever, and records when it is called.
struct Sleeper {
    struct Params {
        std::int64_t for_ns = kForever;
    };
    Params params;
    std::int64_t until_ns = 0;
    std::uint64_t calls = 0;
    void begin(std::int64_t barrier_ns) noexcept {
        until_ns = params.for_ns == kForever ? kForever : barrier_ns + params.for_ns;
    }
    WorkResult work(Out<Item>& out) noexcept {
        ++calls;
        if (monotonic_ns() < until_ns) return WorkResult::wait_until(until_ns);
        out.produce(1);
        return WorkStatus::done;
    }
};

struct SleeperGraph {
    Stream<Item> source_out{{.name = "source.out", .items = 64, .kind = StreamKind::ring}};
    Node<Sleeper> source;
    Node<Sink> sink{{.name = "sink"}, {}, ins(source_out), outs()};
    Plan plan;
    explicit SleeperGraph(Sleeper::Params params, WaitPolicy wait)
        : source({.name = "source"}, params, ins(), outs(source_out)) {
        plan.workers = {{"w0", {}, {}}, {"w1", {}, {}}};
        plan.jobs = {{"source", tasks<0>}, {"sink", tasks<1>}};
        plan.wait = wait;
    }
};

TYPED_TEST(Pools, TheSchedulerWaitsNotTheBlock) {
    for (const WaitPolicy wait : {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin}) {
        SleeperGraph graph({.for_ns = 20'000'000}, wait);
        Run run(graph.plan, {&graph.source, &graph.sink}, {&graph.source_out});
        TypeParam{}.run(run);
        EXPECT_TRUE(run.outcome().complete);
        EXPECT_EQ(graph.sink.counters().items_in.load(), 1U);
        EXPECT_GE(run.outcome().elapsed_ns, 20'000'000);
        EXPECT_LE(graph.source.block().calls, 4U) << "it was asked before its time";
    }
}

TYPED_TEST(Pools, StopWakesSleepingWorkers) {
    for (const WaitPolicy wait : {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin}) {
        SleeperGraph graph({}, wait);
        Run run(graph.plan, {&graph.source, &graph.sink}, {&graph.source_out});
        std::thread stopper([&run] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            run.stop();
        });
        TypeParam{}.run(run);
        stopper.join();
        EXPECT_TRUE(run.outcome().stopped);
    }
}

/// Counts the blocks that have begun, slowly, and records whether any works before all have begun.
struct Early {
    struct Params {
        std::atomic<int>* begun = nullptr;
    };
    Params params;
    std::thread::id began_on;
    int seen = -1;
    void begin(std::int64_t) noexcept {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        began_on = std::this_thread::get_id();
        params.begun->fetch_add(1);
    }
    WorkResult work(Out<Item>& out) noexcept {
        if (seen < 0) seen = params.begun->load();
        out.produce(1);
        return WorkStatus::done;
    }
};

TYPED_TEST(Pools, EveryBlockBeginsOnAWorkerBeforeAnyWorks) {
    std::atomic<int> begun{0};
    Stream<Item> first_out{{.name = "first.out", .items = 64, .kind = StreamKind::ring}};
    Stream<Item> second_out{{.name = "second.out", .items = 64, .kind = StreamKind::ring}};
    Node<Early> first({.name = "first"}, {&begun}, ins(), outs(first_out));
    Node<Early> second({.name = "second"}, {&begun}, ins(), outs(second_out));
    Node<Sink> first_sink({.name = "first_sink"}, {}, ins(first_out), outs());
    Node<Sink> second_sink({.name = "second_sink"}, {}, ins(second_out), outs());
    Plan plan;
    plan.workers = {{"w0", {}, {}}, {"w1", {}, {}}, {"w2", {}, {}}};
    plan.jobs = {{"a", tasks<0, 1>}, {"b", tasks<2, 3>}};
    Run run(plan, {&first, &first_sink, &second, &second_sink}, {&first_out, &second_out});
    TypeParam{}.run(run);
    ASSERT_TRUE(run.outcome().complete);
    EXPECT_EQ(first.block().seen, 2);
    EXPECT_EQ(second.block().seen, 2);
    EXPECT_NE(first.block().began_on, second.block().began_on);
    EXPECT_NE(first.block().began_on, std::this_thread::get_id());
    EXPECT_NE(second.block().began_on, std::this_thread::get_id());
}

}  // namespace
