// Blocks that fire in one loop, as the generator writes it: two branches of a stream that meet again, fed by another
// worker.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "test_blocks.hpp"
#include "weir/arena.hpp"
#include "weir/fused.hpp"
#include "weir/worker_schedule.hpp"

namespace weir::testing {
namespace {

using Local = Place<Item, 1>;

struct Scale {
    struct Params {
        Item factor = 1;
    };
    Params params;
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        for (std::size_t i = 0; i != in.size(); ++i) out[i] = element(in[i]);
        in.consume(in.size());
        out.produce(in.size());
        return WorkStatus::ok;
    }
    Item element(Item x) const noexcept { return params.factor * x + 1; }
};

struct Weigh {
    struct Params {};
    Params params;
    WorkResult work(In<Item>& a, In<Item>& b, Out<Item>& out) noexcept {
        for (std::size_t i = 0; i != a.size(); ++i) out[i] = element(a[i], b[i]);
        a.consume(a.size());
        b.consume(a.size());
        out.produce(a.size());
        return WorkStatus::ok;
    }
    Item element(Item a, Item b) const noexcept { return 3 * a + b; }
};

inline constexpr auto loop_sum = [](std::size_t n, const auto& left, const auto& right, const auto& sum,
                                    const Item* left_in, const Item* right_in, Item* sum_out) {
    each_item(n, [&](std::size_t i) {
        const Item left_out = left.element(left_in[i]);
        const Item right_out = right.element(right_in[i]);
        sum_out[i] = sum.element(left_out, right_out);
    });
};

struct TwoWays {
    static constexpr std::uint64_t kTimes = 300;  // two groups of each_item, and a remainder
    Arena w1{kTimes * sizeof(Item)};
    Stream<Item> source_out;
    Fired<Source, Inputs<>, Outputs<RingOut<Item>>> source;
    Within left_out{{.name = "left.out", .readers = ports<"sum.a">}};
    InLoop<Scale, Inputs<RingIn<Item>>, Outputs<WithinOut>> left;
    Within right_out{{.name = "right.out", .readers = ports<"sum.b">}};
    InLoop<Scale, Inputs<RingIn<Item>>, Outputs<WithinOut>> right;
    Local sum_out{w1, {.name = "sum.out", .offset = 0, .items = kTimes, .readers = ports<"sink.in">}};
    InLoop<Weigh, Inputs<WithinIn, WithinIn>, Outputs<PlaceOut<Local>>> sum;
    Fired<Sink, Inputs<PlaceIn<Local>>, Outputs<>> sink;
    Plan plan;

    explicit TwoWays(std::uint64_t items, std::size_t ring = 1024)
        : source_out({.name = "source.out", .items = ring, .readers = 2}),
          source({.name = "source", .index = 0, .chunk_items = 100, .ends_at_run_items = true}, {.items = items}, {},
                 {source_out}),
          left({.name = "left", .index = 1, .chunk_items = kTimes}, {.factor = 5}, {source_out}, {left_out}),
          right({.name = "right", .index = 2, .chunk_items = kTimes}, {.factor = 9}, {source_out}, {right_out}),
          sum({.name = "sum", .index = 3, .chunk_items = kTimes}, {}, {left_out, right_out}, {sum_out}),
          sink({.name = "sink", .index = 4, .chunk_items = kTimes}, {}, {sum_out}, {}) {
        plan.workers = {{.name = "w0", .tasks = tasks<0>}, {.name = "w1", .tasks = tasks<1, 2, 3, 4>}};
        plan.metered = {0};
    }

    WorkerSchedules worker_schedules() {
        return {
            [this](ScheduledWorker& at) {
                while (at.again()) {
                    if (!source.fire(at, 100)) return;
                }
            },
            [this](ScheduledWorker& at) {
                while (at.again()) {
                    if (!fire_together(at, kTimes, loop_sum, left, right, sum)) return;
                    if (!sink.fire(at, kTimes)) return;
                }
            },
        };
    }

    std::vector<Instance*> instances() { return {&source, &left, &right, &sum, &sink}; }
    std::vector<StreamBase*> streams() { return {&source_out}; }
};

Item of(Item x) { return 3 * (5 * x + 1) + 9 * x + 1; }

std::uint64_t truth(std::uint64_t items) {
    std::uint64_t digest = 0;
    for (std::uint64_t i = 0; i < items; ++i) digest += mix64(i, of(source_item(i, 0)));
    return digest;
}

TEST(Fused, ALoopComputesWhatItsBlocksDo) {
    for (const std::uint64_t items : {1U, 127U, 128U, 300U, 301U, 10'001U}) {
        TwoWays graph(items);
        weir::Run run(graph.plan, graph.instances(), graph.streams());
        run_worker_schedules(run, graph.worker_schedules());
        ASSERT_TRUE(run.outcome().complete) << items;
        EXPECT_EQ(graph.sink.digest(), truth(items)) << items;
        for (const Instance* member : {static_cast<Instance*>(&graph.left), static_cast<Instance*>(&graph.right),
                                       static_cast<Instance*>(&graph.sum)}) {
            EXPECT_EQ(member->counters().items_in, items) << member->spec().name;
            EXPECT_EQ(member->counters().items_out, items) << member->spec().name;
            EXPECT_EQ(member->state(), StepStatus::done) << member->spec().name;
        }
    }
}

TEST(Fused, ARingThatIsNotMappedTwiceWrapsWithinALoop) {
    ::setenv("WEIR_UNMIRRORED", "1", 1);
    TwoWays graph(10'001, 777);
    ::unsetenv("WEIR_UNMIRRORED");
    ASSERT_FALSE(graph.source_out.mirrored());
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    run_worker_schedules(run, graph.worker_schedules());
    EXPECT_EQ(graph.sink.digest(), truth(10'001));
}

TEST(Fused, ItemsThatStayInRegistersCanBeTapped) {
    TwoWays graph(10'001);
    std::vector<std::byte> left, sum;
    EXPECT_FALSE(graph.right.tap("left.out", left));
    ASSERT_TRUE(graph.left.tap("left.out", left));
    ASSERT_TRUE(graph.sum.tap("sum.out", sum));
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    run_worker_schedules(run, graph.worker_schedules());
    EXPECT_EQ(graph.sink.digest(), truth(10'001));
    std::vector<Item> items(10'001);
    ASSERT_EQ(left.size(), items.size() * sizeof(Item));
    ASSERT_EQ(sum.size(), items.size() * sizeof(Item));
    std::memcpy(items.data(), left.data(), left.size());
    EXPECT_EQ(items[9'999], 5 * source_item(9'999, 0) + 1);
    std::memcpy(items.data(), sum.data(), sum.size());
    EXPECT_EQ(items[10'000], of(source_item(10'000, 0)));
}

TEST(Fused, CallsCountForAllBlocksAndTheirTimeForTheLast) {
    TwoWays graph(3'001);
    RunSetup setup;
    setup.spec.metrics = Metrics::profile;
    weir::Run run(graph.plan, graph.instances(), graph.streams(), std::move(setup));
    run_worker_schedules(run, graph.worker_schedules());
    // A ring that is not mapped twice, as under the thread sanitizer, wraps in the middle of some calls.
    EXPECT_GE(graph.sum.counters().calls(), 11U);
    if (graph.source_out.mirrored()) {
        EXPECT_EQ(graph.sum.counters().calls(), 11U);
    }
    EXPECT_EQ(graph.left.counters().calls(), graph.sum.counters().calls());
    EXPECT_GT(graph.sum.counters().busy_ns, 0U);
    EXPECT_EQ(graph.left.counters().busy_ns, 0U);
    EXPECT_TRUE(graph.sum.is_timed() && graph.sink.is_timed());
    EXPECT_FALSE(graph.left.is_timed() || graph.right.is_timed());
}

TEST(Fused, ARunWithoutAnEndStops) {
    TwoWays graph(0);
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    const WorkerSchedules schedules = graph.worker_schedules();
    run_worker_schedules(run, {[&](ScheduledWorker& at) {
                                   for (int i = 0; i != 100; ++i) {
                                       if (!graph.source.fire(at, 100)) return;
                                   }
                                   at.run().stop();  // the loop waits for items, or soon will
                               },
                               schedules[1]});
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_LE(graph.sink.counters().items_in, 10'000U);
}

}  // namespace
}  // namespace weir::testing
