// A worker schedule as the generator writes it: two workers, two rates, streams that share the bytes of an arena. Also
// a run in which some workers repeat a worker schedule while others step their tasks.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "test_blocks.hpp"
#include "weir/arena.hpp"
#include "weir/expected.hpp"
#include "weir/fired.hpp"
#include "weir/node.hpp"
#include "weir/worker_loop.hpp"
#include "weir/worker_schedule.hpp"

namespace weir::testing {
namespace {

using Local = Place<Item, 1>;

/// x -> (x, x + 77) -> 5 x + 3 -> weighted pairs, joined with x on the other worker. `affine` works in place on the
/// output of `up`.
struct ForkAndJoin {
    static constexpr int kCalls = 6;
    Arena w0{48 * sizeof(Item)}, w1{8 * sizeof(Item)};
    Stream<Item> source_out;
    Fired<Source, Inputs<>, Outputs<RingOut<Item>>> source;
    Local up_out{w0, {.name = "up.out", .offset = 0, .items = 16, .readers = ports<"affine.in">}};
    Fired<Interpolate, Inputs<RingIn<Item>>, Outputs<PlaceOut<Local>>> up;
    Local affine_out{w0, {.name = "affine.out", .offset = 0, .items = 16, .readers = ports<"down.in">}};
    Fired<Affine, Inputs<PlaceIn<Local>>, Outputs<PlaceOut<Local>>> affine;
    Stream<Item> down_out;
    Fired<Decimate, Inputs<PlaceIn<Local>>, Outputs<RingOut<Item>>> down;
    Local join_out{w1, {.name = "join.out", .offset = 0, .items = 4, .readers = ports<"sink.in">}};
    Fired<Join, Inputs<RingIn<Item>, RingIn<Item>>, Outputs<PlaceOut<Local>>> join;
    Fired<Sink, Inputs<PlaceIn<Local>>, Outputs<>> sink;
    Plan plan;

    /// `least`: items of the ring behind `down`, which may grow to four times as many; 0: the ring is like the other
    /// one.
    explicit ForkAndJoin(std::uint64_t items, std::size_t ring = 64, std::uint64_t odd_calls = 0, std::size_t least = 0)
        : source_out({.name = "source.out", .items = ring, .readers = 2}),
          source({.name = "source", .index = 0, .chunk_items = 8, .ends_at_run_items = true}, {.items = items}, {},
                 {source_out}),
          up({.name = "up", .index = 1, .chunk_items = 16, .out_rates = rates<2>}, {}, {source_out}, {up_out}),
          affine({.name = "affine", .index = 2, .chunk_items = 16}, {.seed = odd_calls}, {up_out}, {affine_out}),
          down_out({.name = "down.out", .items = least == 0 ? ring : 4 * least, .least = least}),
          down({.name = "down", .index = 3, .chunk_items = 16, .in_rates = rates<2>}, {}, {affine_out}, {down_out}),
          join({.name = "join", .index = 4, .chunk_items = 4}, {}, {down_out, source_out}, {join_out}),
          sink({.name = "sink", .index = 5, .chunk_items = 4}, {}, {join_out}, {}) {
        plan.workers = {{.name = "w0", .tasks = tasks<0, 1, 2, 3>}, {.name = "w1", .tasks = tasks<4, 5>}};
        plan.metered = {0};
    }

    WorkerSchedules worker_schedules() {
        return {
            [this](ScheduledWorker& at) {
                while (at.again()) {
                    if (!source.fire(at, 8) || !up.fire(at, 8) || !affine.fire(at, 16) || !down.fire(at, 8)) return;
                }
            },
            [this](ScheduledWorker& at) {
                while (at.again()) {
                    for (int pass = 0; pass != kCalls; ++pass) {
                        if (!join.fire(at, 4) || !sink.fire(at, 4)) return;
                    }
                }
            },
        };
    }

    std::vector<Instance*> instances() { return {&source, &up, &affine, &down, &join, &sink}; }
    std::vector<StreamBase*> streams() { return {&source_out, &down_out}; }
};

std::uint64_t truth(std::uint64_t items) {
    std::uint64_t digest = 0;
    for (std::uint64_t i = 0; i < items; ++i) {
        const Item x = source_item(i, 0);
        const std::array<Item, 2> pair{Affine::of(Interpolate::of(x, 0)), Affine::of(Interpolate::of(x, 1))};
        digest += mix64(i, Join::of(Decimate::of(pair.data(), 2), x));
    }
    return digest;
}

class Scheduled : public ::testing::TestWithParam<WaitPolicy> {};

TEST_P(Scheduled, FiresAsTheGraphSaysForAnyNumberOfItems) {
    for (const std::uint64_t items : {1U, 7U, 8U, 23U, 24U, 10'001U}) {
        ForkAndJoin graph(items);
        graph.plan.wait = GetParam();
        weir::Run run(graph.plan, graph.instances(), graph.streams());
        run_worker_schedules(run, graph.worker_schedules());
        ASSERT_TRUE(run.outcome().complete) << items;
        EXPECT_EQ(graph.sink.counters().items_in, items);
        EXPECT_EQ(graph.sink.digest(), truth(items)) << items;
        EXPECT_EQ(run.expected().back(), items);
        EXPECT_EQ(graph.down.counters().tail_items, 0U);
        EXPECT_EQ(graph.sink.state(), StepStatus::done);
    }
}
INSTANTIATE_TEST_SUITE_P(Waits, Scheduled, ::testing::Values(WaitPolicy::park, WaitPolicy::yield));

/// `source` has filled its ring, but `down` has produced fewer items than its ring may withhold, and `join` needs both
/// inputs.
TEST_P(Scheduled, AWaitingWorkerWithholdsNoItems) {
    for (const std::uint64_t items : {8U, 64U, 30'001U}) {
        ForkAndJoin graph(items, 64, 0, 64 * 1024);
        ASSERT_GT(graph.down_out.keeps(), graph.source_out.capacity());
        graph.plan.wait = GetParam();
        weir::Run run(graph.plan, graph.instances(), graph.streams());
        run_worker_schedules(run, graph.worker_schedules());
        ASSERT_TRUE(run.outcome().complete) << items;
        EXPECT_EQ(graph.sink.digest(), truth(items)) << items;
    }
}

TEST(Fired, MovesAreReportedToRingsInBatches) {
    ForkAndJoin graph(100'000, 64, 0, 1024);
    const std::size_t keeps = graph.down_out.keeps();
    EXPECT_EQ(keeps, graph.down_out.limit() / 8);
    EXPECT_EQ(graph.source_out.keeps(), 0U);  // fixed size: a slow chain would wait for an eighth of it
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    const WorkerSchedules schedules = graph.worker_schedules();
    std::uint64_t before = 0, after = 0;
    run_worker_schedules(run, {[&](ScheduledWorker& at) {
                                   for (int i = 0; i != 5; ++i) {
                                       if (!graph.source.fire(at, 8) || !graph.up.fire(at, 8) ||
                                           !graph.affine.fire(at, 16) || !graph.down.fire(at, 8))
                                           return;
                                   }
                                   before = graph.down_out.fill();
                                   graph.down.hand_over();
                                   after = graph.down_out.fill();
                                   at.run().stop();
                               },
                               [](ScheduledWorker&) {}});
    EXPECT_LT(before, 40U);  // the first milestone also reports the first moves
    EXPECT_EQ(after, 40U);
}

TEST(Fired, ARingThatIsNotMappedTwiceWrapsWithinACall) {
    ::setenv("WEIR_UNMIRRORED", "1", 1);
    ForkAndJoin graph(10'001, 13);
    ::unsetenv("WEIR_UNMIRRORED");
    ASSERT_FALSE(graph.source_out.mirrored());
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    run_worker_schedules(run, graph.worker_schedules());
    EXPECT_EQ(graph.sink.digest(), truth(10'001));
}

TEST(Fired, AVerificationHasThePatternAtItsSourcesAndDigestsAtItsSinks) {
    ForkAndJoin graph(1'000'000);
    RunSetup setup;
    setup.spec.items = 999;
    setup.spec.metrics = Metrics::counters;
    setup.verify = true;
    std::vector<std::byte> bytes;
    EXPECT_FALSE(graph.sink.tap("join.out", bytes));
    ASSERT_TRUE(graph.join.tap("join.out", bytes));
    weir::Run run(graph.plan, graph.instances(), graph.streams(), std::move(setup));
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().complete);
    EXPECT_EQ(graph.sink.counters().items_in, 999U);
    ASSERT_EQ(bytes.size(), 999 * sizeof(Item));
    std::vector<Item> items(999);
    std::memcpy(items.data(), bytes.data(), bytes.size());
    EXPECT_EQ(graph.sink.digest(), digest_of(items.data(), items.size(), 0));
    const std::array<Item, 2> pair{Affine::of(Interpolate::of(CounterPattern<Item>::item(7), 0)),
                                   Affine::of(Interpolate::of(CounterPattern<Item>::item(7), 1))};
    EXPECT_EQ(items[7], Join::of(Decimate::of(pair.data(), 2), CounterPattern<Item>::item(7)));
    // 999 items in chunks of eight; the last chunk has seven. The count equals the calls.
    EXPECT_EQ(graph.affine.counters().calls(), 125U);
}

TEST(Fired, ABlockThatMovesFewerItemsThanOfferedIsNamed) {
    ForkAndJoin graph(10'000, 64, 12345);
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().failure);
    EXPECT_EQ(run.outcome().failure->instance, "affine");
    EXPECT_NE(run.outcome().failure->message.find("fewer items than it was offered"), std::string::npos);
    EXPECT_FALSE(run.outcome().complete);
}

TEST(Fired, ARunWithoutAnEndStops) {
    ForkAndJoin graph(0);
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    const WorkerSchedules schedules = graph.worker_schedules();
    run_worker_schedules(run, {schedules[0], [&](ScheduledWorker& at) {
                                   for (int i = 0; i != 100; ++i) {
                                       if (!graph.join.fire(at, 4) || !graph.sink.fire(at, 4)) return;
                                   }
                                   at.run().stop();  // the other worker waits for space, or soon will
                               }});
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_FALSE(run.outcome().complete);
    EXPECT_EQ(graph.sink.counters().items_in, 400U);
}

TEST(Fired, FiringsFollowFromAvailableAndRequiredItems) {
    // Seven items. A join with a longer stream takes all seven, after a decimation by two on the other branch.
    Stream<Item> whole({.name = "whole", .items = 64, .readers = 2, .granule = 2}), half({.name = "half", .items = 64}),
        joined({.name = "joined", .items = 64});
    Fired<Source, Inputs<>, Outputs<RingOut<Item>>> source({.name = "source"}, {.items = 7}, {}, {whole});
    Fired<Decimate, Inputs<RingIn<Item>>, Outputs<RingOut<Item>>> slow({.name = "slow", .in_rates = rates<2>}, {},
                                                                       {whole}, {half});
    Fired<Join, Inputs<RingIn<Item>, RingIn<Item>>, Outputs<RingOut<Item>>> join({.name = "join"}, {}, {half, whole},
                                                                                 {joined});
    Fired<Sink, Inputs<RingIn<Item>>, Outputs<>> sink({.name = "sink"}, {}, {joined}, {});
    const std::vector<Instance*> all{&source, &slow, &join, &sink};
    const auto firings = [&all](bool everything) {
        std::vector<std::uint64_t> counts, tails;
        for (const Instance::Quota& quota : quotas_of(all, 0, everything)) {
            counts.push_back(quota.firings);
            tails.push_back(quota.tail_items);
        }
        return std::pair(counts, tails);
    };
    using Counts = std::vector<std::uint64_t>;
    EXPECT_EQ(firings(true), std::pair(Counts({7, 3, 3, 3}), Counts({0, 1, 0, 0})));
    EXPECT_EQ(firings(false), std::pair(Counts({6, 3, 3, 3}), Counts({0, 1, 0, 0})));
}

/// Moves a number of items of its choice. If `most` is not 0, it ends after that many without announcing it.
struct Chooser : Cutting<Chooser> {
    struct Params {
        std::uint64_t seed = 1, most = 0, error_at = 0;
    };
    Params params;
    std::uint64_t moved = 0;

    std::string_view error() const { return "had enough"; }
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        const std::size_t n = cut(std::min(in.size(), out.size()));
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        std::copy_n(in.data(), n, out.data());
        in.consume(n);
        out.produce(n);
        moved += n;
        if (params.error_at != 0 && moved >= params.error_at) return WorkStatus::error;
        return params.most != 0 && moved >= params.most ? WorkStatus::done : WorkStatus::ok;
    }
};

/// w0 fires source and up; w1 steps affine and a chooser; w2 fires down, joins its output with the source's and digests
/// the result. So w2 waits both for a stream of w0 and for one that w1 derives from it.
struct Mixed {
    Arena w0{8 * sizeof(Item)}, w2{16 * sizeof(Item)};
    Stream<Item> source_out;
    Fired<Source, Inputs<>, Outputs<RingOut<Item>>> source;
    Stream<Item> up_out;
    Fired<Interpolate, Inputs<RingIn<Item>>, Outputs<RingOut<Item>>> up;
    Stream<Item> affine_out{{.name = "affine.out", .items = 16, .kind = StreamKind::linear}};
    Node<Affine> affine;
    Stream<Item> chooser_out;
    Node<Chooser> chooser;
    Local down_out{w2, {.name = "down.out", .offset = 0, .items = 4, .readers = ports<"join.in0">}};
    Fired<Decimate, Inputs<RingIn<Item>>, Outputs<PlaceOut<Local>>> down;
    Local join_out{w2, {.name = "join.out", .offset = 4 * sizeof(Item), .items = 4, .readers = ports<"sink.in">}};
    Fired<Join, Inputs<PlaceIn<Local>, RingIn<Item>>, Outputs<PlaceOut<Local>>> join;
    Fired<Sink, Inputs<PlaceIn<Local>>, Outputs<>> sink;
    Plan plan;

    explicit Mixed(std::uint64_t items, Chooser::Params how = {})
        : source_out({.name = "source.out", .items = 64, .readers = 2}),
          source({.name = "source", .index = 0, .chunk_items = 8, .ends_at_run_items = true}, {.items = items}, {},
                 {source_out}),
          up_out({.name = "up.out", .items = 64, .granule = 2}),
          up({.name = "up", .index = 1, .chunk_items = 16, .out_rates = rates<2>}, {}, {source_out}, {up_out}),
          affine({.name = "affine", .index = 2, .chunk_items = 16}, {.seed = 7}, ins(up_out), outs(affine_out)),
          chooser_out({.name = "chooser.out", .items = 64, .granule = 2}),
          chooser({.name = "chooser", .index = 3, .chunk_items = 16}, how, ins(affine_out), outs(chooser_out)),
          down({.name = "down", .index = 4, .chunk_items = 8, .in_rates = rates<2>}, {}, {chooser_out}, {down_out}),
          join({.name = "join", .index = 5, .chunk_items = 4}, {}, {down_out, source_out}, {join_out}),
          sink({.name = "sink", .index = 6, .chunk_items = 4}, {}, {join_out}, {}) {
        plan.workers = {{.name = "w0", .tasks = tasks<0, 1>},
                        {.name = "w1", .tasks = tasks<2, 3>},
                        {.name = "w2", .tasks = tasks<4, 5, 6>}};
        plan.metered = {0};
    }

    WorkerSchedules worker_schedules() {
        return {
            [this](ScheduledWorker& at) {
                while (at.again()) {
                    if (!source.fire(at, 8) || !up.fire(at, 8)) return;
                }
            },
            nullptr,
            [this](ScheduledWorker& at) {
                while (at.again()) {
                    if (!down.fire(at, 4) || !join.fire(at, 4) || !sink.fire(at, 4)) return;
                }
            },
        };
    }

    std::vector<Instance*> instances() { return {&source, &up, &affine, &chooser, &down, &join, &sink}; }
    std::vector<StreamBase*> streams() { return {&source_out, &up_out, &affine_out, &chooser_out}; }
};

class SchedulesBesideTasks : public ::testing::TestWithParam<WaitPolicy> {};

TEST_P(SchedulesBesideTasks, GiveTheGraphsResultForAnyNumberOfItems) {
    for (const std::uint64_t items : {1U, 7U, 8U, 23U, 24U, 10'001U}) {
        for (const std::uint64_t seed : {0U, 1U, 5U}) {
            Mixed graph(items, {.seed = seed});
            graph.plan.wait = GetParam();
            weir::Run run(graph.plan, graph.instances(), graph.streams());
            EXPECT_EQ(run.tasks().size(), 2U);
            EXPECT_EQ(run.instances().size(), 7U);
            run_worker_schedules(run, graph.worker_schedules());
            ASSERT_TRUE(run.outcome().complete) << items;
            EXPECT_EQ(graph.sink.digest(), truth(items)) << items;
            EXPECT_EQ(run.expected().back(), items);
            EXPECT_EQ(graph.chooser.counters().items_out, 2 * items);
            EXPECT_EQ(graph.chooser.counters().tail_items, 0U);
            EXPECT_EQ(graph.sink.state(), StepStatus::done);
            EXPECT_EQ(graph.affine.state(), StepStatus::done);
        }
    }
}

TEST_P(SchedulesBesideTasks, StopAtAnyPoint) {
    Mixed graph(0);
    graph.plan.wait = GetParam();
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    const WorkerSchedules schedules = graph.worker_schedules();
    run_worker_schedules(run,
                         {schedules[0], nullptr, [&](ScheduledWorker& at) {
                              for (int i = 0; i != 500; ++i) {
                                  if (!graph.down.fire(at, 4) || !graph.join.fire(at, 4) || !graph.sink.fire(at, 4))
                                      return;
                              }
                              at.run().stop();  // the other workers wait for space, or soon will
                          }});
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_FALSE(run.outcome().complete);
    EXPECT_EQ(graph.sink.counters().items_in, 2000U);
}

TEST_P(SchedulesBesideTasks, EndIfAnyBlockFails) {
    Mixed stepped(0, {.seed = 3, .error_at = 5'000});
    stepped.plan.wait = GetParam();
    weir::Run run(stepped.plan, stepped.instances(), stepped.streams());
    run_worker_schedules(run, stepped.worker_schedules());
    ASSERT_TRUE(run.outcome().failure);
    EXPECT_EQ(run.outcome().failure->instance, "chooser");
    EXPECT_NE(run.outcome().failure->message.find("had enough"), std::string::npos);
    EXPECT_FALSE(run.outcome().complete);
}

TEST_P(SchedulesBesideTasks, NameABlockThatGetsFewerItemsThanItsRatesRequire) {
    Mixed graph(10'000, {.most = 1'001});
    graph.plan.wait = GetParam();
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().failure);
    EXPECT_EQ(run.outcome().failure->instance, "down");
    EXPECT_NE(run.outcome().failure->message.find("its input ended with fewer items"), std::string::npos);
    EXPECT_EQ(graph.down.state(), StepStatus::error);
}
INSTANTIATE_TEST_SUITE_P(Waits, SchedulesBesideTasks, ::testing::Values(WaitPolicy::park, WaitPolicy::yield));

TEST(MixedRun, IsTappedAndCountedInBothParts) {
    Mixed graph(0);
    RunSetup setup;
    setup.spec.items = 999;
    setup.spec.metrics = Metrics::counters;
    setup.verify = true;
    std::vector<std::byte> bytes;
    ASSERT_TRUE(graph.chooser.tap("chooser.out", bytes));
    weir::Run run(graph.plan, graph.instances(), graph.streams(), std::move(setup));
    run_worker_schedules(run, graph.worker_schedules());
    ASSERT_TRUE(run.outcome().complete);
    EXPECT_EQ(bytes.size(), 2 * 999 * sizeof(Item));
    EXPECT_GE(graph.chooser.counters().calls(), 2 * 999U / 16);
    EXPECT_EQ(graph.down.counters().calls(), 250U);  // 999 firings, four per call
}

}  // namespace
}  // namespace weir::testing
