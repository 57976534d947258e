// Replicas as the generator writes them: a source that can begin anywhere, a block with a short history, a block whose
// output depends on all earlier items, and two sinks, one of which takes items in order.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "test_blocks.hpp"
#include "weir/arena.hpp"
#include "weir/fired.hpp"
#include "weir/replicated.hpp"

namespace weir::testing {
namespace {

struct Anywhere {
    struct Params {};
    Params params;
    std::uint64_t next = 0;

    void seek(std::uint64_t index) noexcept { next = index; }
    WorkResult work(Out<Item>& out) noexcept {
        for (Item& item : out.first(out.size())) item = source_item(next++, 0);
        out.produce(out.size());
        return WorkStatus::ok;
    }
};

/// Sum of an item and the two before it.
struct Recall {
    struct Params {};
    Params params;
    std::array<Item, 2> before{};

    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        for (std::size_t i = 0; i < in.size(); ++i) {
            out[i] = in[i] + before[0] + before[1];
            before = {before[1], in[i]};
        }
        in.consume(in.size());
        out.produce(in.size());
        return WorkStatus::ok;
    }
};

/// Block whose output depends on all earlier items; it fails at item `fails_at`.
struct Running {
    struct Params {
        std::uint64_t fails_at = 0;
    };
    Params params;
    std::vector<Item> hash = {1};  // allocated on the heap, and moved with the block
    std::uint64_t seen = 0;

    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        for (std::size_t i = 0; i < in.size(); ++i) out[i] = hash[0] = hash[0] * 31 + in[i];
        seen += in.size();
        if (params.fails_at != 0 && seen >= params.fails_at) return WorkStatus::error;
        in.consume(in.size());
        out.produce(in.size());
        return WorkStatus::ok;
    }
    std::string_view error() const noexcept { return "as it was told to"; }
};

struct InOrder {
    struct Params {};
    Params params;
    std::vector<Item> items;

    WorkResult work(In<Item>& in) noexcept {
        items.insert(items.end(), in.data(), in.data() + in.size());
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

struct Merged {
    struct Params {};
    Params params;
    std::uint64_t next = 0, sum = 0;

    void seek(std::uint64_t index) noexcept { next = index; }
    std::uint64_t digest() const { return sum; }
    WorkResult work(In<Item>& in) noexcept {
        sum += digest_of(in.data(), in.size(), next);
        next += in.size();
        in.consume(in.size());
        return WorkStatus::ok;
    }
};

constexpr std::uint64_t kTimes = 8, kPeriods = 4, kStretch = kTimes * kPeriods;

struct Chain {
    using Local = Place<Item, 1>;

    Arena arena{1024};
    Local source_out{arena, {.name = "source.out", .offset = 0, .items = kTimes, .readers = ports<"recall.in">}};
    Fired<Anywhere, Inputs<>, Outputs<PlaceOut<Local>>> source{
        {.name = "source", .index = 0, .chunk_items = kTimes, .probe_granularity = 10, .ends_at_run_items = true},
        {},
        {},
        {source_out}};
    Place<Item, 2> recall_out{arena,
                              {.name = "recall.out",
                               .offset = 64,
                               .items = kStretch,
                               .held = true,
                               .readers = ports<"merged.in", "running.in">}};
    Fired<Recall, Inputs<PlaceIn<Local>>, Outputs<PlaceOut<Place<Item, 2>>>> recall{
        {.name = "recall", .index = 1, .chunk_items = kTimes}, {}, {source_out}, {recall_out}};
    Fired<Merged, Inputs<PlaceIn<Place<Item, 2>>>, Outputs<>> merged{
        {.name = "merged", .index = 2, .chunk_items = kTimes, .probe_granularity = 10},
        {},
        {PlaceIn(recall_out, 0)},
        {}};
    Local running_out{arena,
                      {.name = "running.out", .offset = 320, .items = kStretch, .readers = ports<"in_order.in">}};
    InTurn<Running, Inputs<PlaceIn<Place<Item, 2>>>, Outputs<PlaceOut<Local>>> running{
        {.name = "running", .index = 3, .chunk_items = kStretch}, {}, {PlaceIn(recall_out, 1)}, {running_out}};
    InTurn<InOrder, Inputs<PlaceIn<Local>>, Outputs<>> in_order{
        {.name = "in_order", .index = 4, .chunk_items = kStretch}, {}, {running_out}, {}};

    template <class Stretches_> void worker_schedule(ScheduledWorker& at, Stretches_& stretches) {
        while (const Stretch stretch = stretches.next(at)) {
            source.take_up(at, stretch, kStretch, kTimes);
            recall.take_up(at, stretch, kStretch, kTimes);
            merged.take_up(at, stretch, kStretch, kTimes);
            running.take_up(at, stretch, kStretch);
            in_order.take_up(at, stretch, kStretch);
            for (int period = -stretch.again(1); period != static_cast<int>(kPeriods); ++period) {
                if (!at.again()) return;
                if (!source.fire(at, kTimes) || !recall.fire(at, kTimes) || !merged.fire(at, kTimes)) return;
            }
            if (!running.fire(at, kStretch) || !in_order.fire(at, kStretch)) return;
        }
    }
    void share(Chain& first) {
        running.share(first.running);
        in_order.share(first.in_order);
    }
    void tasks(TaskList& list) { list.add({&source, &recall, &merged, &running, &in_order}); }
    void places(PlaceList& list) { list.add({&source_out, &recall_out, &running_out}); }
    void parameters(ParamTable&) {}
};

/// Each replica gets every Nth stretch, so replicas are at most N stretches apart. Otherwise the first free replica
/// takes the next stretch, and a replica that is delayed between two stretches delays no other.
struct RoundRobin : Chain {
    struct Rounds {
        std::atomic<std::uint64_t> given{0};
        std::uint64_t replicas = 1;
    };
    std::shared_ptr<Rounds> rounds = std::make_shared<Rounds>();
    std::uint64_t replica = 0;

    void share(RoundRobin& first) {
        Chain::share(first);
        rounds = first.rounds;
        replica = rounds->replicas++;
    }
    void worker_schedule(ScheduledWorker& at, Stretches& stretches) {
        Mine mine{*rounds, replica, stretches};
        Chain::worker_schedule(at, mine);
    }

  private:
    struct Mine {
        Rounds& rounds;
        std::uint64_t replica;
        Stretches& all;

        Stretch next(const ScheduledWorker& at) {
            while (rounds.given % rounds.replicas != replica) std::this_thread::yield();
            const Stretch stretch = all.next(at);
            ++rounds.given;
            return stretch;
        }
    };
};

/// Several replicas that a test can inspect.
template <std::size_t N, class Replica = Chain> struct Several : Replicated<Replica, N> {
    Plan plan;
    std::vector<Instance*> instances;
    std::array<std::array<std::uint32_t, 5>, N> tasks_of{};

    explicit Several(WaitPolicy wait = WaitPolicy::yield) {
        TaskList list;
        this->tasks(list);
        instances = list.in_order();
        plan.wait = wait;
        plan.replicas = N;
        plan.metered = {0};
        for (std::uint32_t worker = 0; worker < N; ++worker) {
            for (std::uint32_t task = 0; task < 5; ++task) tasks_of[worker][task] = 5 * worker + task;
            plan.workers.push_back({.name = "w", .tasks = tasks_of[worker]});
        }
    }
    RunSetup of_items(std::uint64_t items) {
        RunSetup setup;
        setup.spec.items = items;
        return setup;
    }
};

struct Truth {
    std::vector<Item> in_order;
    std::uint64_t merged = 0;

    explicit Truth(std::uint64_t items) {
        Item hash = 1;
        for (std::uint64_t i = 0; i < items; ++i) {
            const Item recalled =
                source_item(i, 0) + (i > 0 ? source_item(i - 1, 0) : 0) + (i > 1 ? source_item(i - 2, 0) : 0);
            merged += mix64(i, recalled);
            in_order.push_back(hash = hash * 31 + recalled);
        }
    }
};

template <std::size_t N> void expect_the_truth(std::uint64_t items, WaitPolicy wait) {
    Several<N> graph(wait);
    weir::Run run(graph.plan, graph.instances, {}, graph.of_items(items));
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().complete) << N << " replicas, " << items << " items";
    const Truth truth(items);
    std::uint64_t digest = 0;
    std::array<std::uint64_t, 5> in{}, out{};
    for (std::size_t i = 0; i < graph.instances.size(); ++i) {
        in[i % 5] += graph.instances[i]->counters().items_in;
        out[i % 5] += graph.instances[i]->counters().items_out;
        EXPECT_EQ(graph.instances[i]->replica(), i / 5);
        EXPECT_EQ(graph.instances[i]->state(), StepStatus::done);
        if (i % 5 == 2) digest += *graph.instances[i]->digest();
        EXPECT_EQ(run.expected()[i], items);
    }
    EXPECT_EQ(digest, truth.merged) << N << " replicas, " << items << " items";
    EXPECT_EQ(in, (std::array<std::uint64_t, 5>{0, items, items, items, items}));
    EXPECT_EQ(out, (std::array<std::uint64_t, 5>{items, items, 0, items, 0}));
    using Last = InTurn<InOrder, Inputs<PlaceIn<Chain::Local>>, Outputs<>>;
    EXPECT_EQ(dynamic_cast<Last&>(*graph.instances[4]).block().items, truth.in_order)
        << N << " replicas, " << items << " items";
}

TEST(Replicated, TogetherGiveTheResultOfOne) {
    for (const std::uint64_t items : {1U, 2U, 31U, 32U, 33U, 64U, 1'000U, 20'003U}) {
        expect_the_truth<1>(items, WaitPolicy::yield);
        expect_the_truth<2>(items, WaitPolicy::yield);
        expect_the_truth<4>(items, WaitPolicy::park);
    }
}

TEST(Replicated, TheWindowOpensAfterAllSinksWarmUpAndClosesWithTheFirstFinishedSink) {
    Several<3, RoundRobin> graph;
    RunSetup setup = graph.of_items(50'000);
    setup.spec.warmup_items = 10'000;
    weir::Run run(graph.plan, graph.instances, {}, std::move(setup));
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().window.has_value());
    // The last of three replicas passes the window's start up to three stretches after the first one, which is itself
    // up to three stretches ahead.
    EXPECT_GT(*run.outcome().window_items, 40'000U - 6 * kStretch);
    EXPECT_LE(*run.outcome().window_items, 40'000U);
}

TEST(Replicated, BoundariesAreThoseOfTheRun) {
    Several<2> graph;
    RunSetup setup = graph.of_items(10'000);
    std::string note;
    const auto tracer = trace::make_tracer(TraceBackend::memory, {}, note);
    setup.tracer = tracer.get();
    weir::Run run(graph.plan, graph.instances, {}, std::move(setup));
    run_worker_schedules(run, graph.worker_schedules());
    std::array<std::vector<std::uint64_t>, 2> seen;
    for (const auto records : tracer->records()) {
        for (const trace::Record& record : records) {
            if (record.event == trace::Event::tx) seen[0].push_back(record.value);
            if (record.event == trace::Event::rx) seen[1].push_back(record.value);
        }
    }
    for (auto& boundaries : seen) {
        std::ranges::sort(boundaries);
        ASSERT_EQ(boundaries.size(), 1'000U);
        for (std::size_t k = 0; k < boundaries.size(); ++k) EXPECT_EQ(boundaries[k], k + 1);
    }
}

TEST(Replicated, AFailureInATurnStopsAll) {
    Several<3> graph(WaitPolicy::park);
    using Middle = InTurn<Running, Inputs<PlaceIn<Place<Item, 2>>>, Outputs<PlaceOut<Chain::Local>>>;
    dynamic_cast<Middle&>(*graph.instances[3]).block().params.fails_at = 5'000;
    weir::Run run(graph.plan, graph.instances, {}, graph.of_items(1'000'000));
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().failure.has_value());
    EXPECT_EQ(run.outcome().failure->instance, "running");
    EXPECT_EQ(run.outcome().failure->message, "as it was told to");
}

TEST(Replicated, ARunWithoutAnEndStops) {
    Several<3> graph(WaitPolicy::park);
    weir::Run run(graph.plan, graph.instances, {}, graph.of_items(0));
    std::thread stopper([&run] {
        while (run.began_ns() == 0) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        run.stop();
    });
    run_worker_schedules(run, graph.worker_schedules());
    stopper.join();
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_FALSE(run.outcome().failure.has_value());
}

}  // namespace
}  // namespace weir::testing
