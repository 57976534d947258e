// Circuits as the generator writes them: rings in one shared memory, through one to four workers and back to the
// source.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <string>

#include "idle_task.hpp"
#include "test_blocks.hpp"
#include "weir/fired.hpp"
#include "weir/worker_schedule.hpp"

namespace weir::testing {
namespace {

using Stage = Fired<Affine, Inputs<RingIn<Item>>, Outputs<RingOut<Item>>>;

/// Each worker has two stages; the first worker also has the source, the last one the sink. A call has eight items.
struct Circle {
    static constexpr std::uint64_t kTimes = 8;
    std::size_t workers;
    std::deque<std::string> names;
    std::vector<std::unique_ptr<Stream<Item>>> rings;
    std::unique_ptr<Fired<Source, Inputs<>, Outputs<RingOut<Item>>>> source;
    std::vector<std::unique_ptr<Stage>> stages;
    std::unique_ptr<Fired<Sink, Inputs<RingIn<Item>>, Outputs<>>> sink;
    std::vector<std::vector<std::uint32_t>> tasks;
    Plan plan;

    /// `least`: 0 if the number of quanta is fixed.
    Circle(std::size_t on, std::size_t quanta, Source::Params from, Sink::Params to = {}, std::size_t least = 0)
        : workers(on), tasks(on) {
        const std::size_t count = 2 * workers;
        for (std::size_t i = 0; i != count + 1; ++i) {
            rings.push_back(std::make_unique<Stream<Item>>(StreamSpec{.name = named("ring", i),
                                                                      .items = quanta * kTimes,
                                                                      .granule = kTimes,
                                                                      .least = i == 0 ? least : 0,
                                                                      .within = i == count || i % 2 == 0}));
        }
        // After every second stage, a ring leads to the next worker.
        for (std::size_t i = 2; i < count; i += 2) {
            rings[i] = std::make_unique<Stream<Item>>(
                StreamSpec{.name = named("crossing", i), .items = quanta * kTimes, .granule = kTimes});
        }
        source = std::make_unique<Fired<Source, Inputs<>, Outputs<RingOut<Item>>>>(
            NodeSpec{.name = "source", .chunk_items = kTimes, .ends_at_run_items = true}, from, std::tuple<>(),
            std::tuple<RingOut<Item>>(*rings[0]));
        tasks[0].push_back(0);
        for (std::size_t i = 0; i != count; ++i) {
            stages.push_back(std::make_unique<Stage>(NodeSpec{.name = named("stage", i),
                                                              .index = static_cast<std::uint32_t>(i + 1),
                                                              .chunk_items = kTimes,
                                                              .in_place = true},
                                                     Affine::Params{}, std::tuple<RingIn<Item>>(*rings[i]),
                                                     std::tuple<RingOut<Item>>(*rings[i + 1])));
            tasks[i / 2].push_back(static_cast<std::uint32_t>(i + 1));
        }
        sink = std::make_unique<Fired<Sink, Inputs<RingIn<Item>>, Outputs<>>>(
            NodeSpec{.name = "sink", .index = static_cast<std::uint32_t>(count + 1), .chunk_items = kTimes}, to,
            std::tuple<RingIn<Item>>(*rings[count]), std::tuple<>());
        tasks.back().push_back(static_cast<std::uint32_t>(count + 1));
        for (std::size_t w = 0; w != workers; ++w) plan.workers.push_back({.name = named("w", w), .tasks = tasks[w]});
        plan.metered = {0};
    }

    std::string_view named(const char* what, std::size_t number) {
        return names.emplace_back(what + std::to_string(number));
    }

    WorkerSchedules worker_schedules() {
        WorkerSchedules found;
        for (std::size_t w = 0; w != workers; ++w) {
            found.emplace_back([this, w](ScheduledWorker& at) {
                while (at.again()) {
                    if (w == 0 && !source->fire(at, kTimes)) return;
                    if (!stages[2 * w]->fire(at, kTimes) || !stages[2 * w + 1]->fire(at, kTimes)) return;
                    if (w + 1 == workers && !sink->fire(at, kTimes)) return;
                }
            });
        }
        return found;
    }

    std::vector<Instance*> instances() {
        std::vector<Instance*> found{source.get()};
        for (const auto& stage : stages) found.push_back(stage.get());
        found.push_back(sink.get());
        return found;
    }
    std::vector<StreamBase*> streams() {
        std::vector<StreamBase*> found;
        for (const auto& ring : rings) found.push_back(ring.get());
        return found;
    }

    std::uint64_t truth(std::uint64_t items) const {
        std::uint64_t digest = 0;
        for (std::uint64_t i = 0; i < items; ++i) {
            Item x = source_item(i, 0);
            for (std::size_t stage = 0; stage != stages.size(); ++stage) x = Affine::of(x);
            digest += mix64(i, x);
        }
        return digest;
    }
};

struct Unmirrored {
    explicit Unmirrored(bool unmirrored) { ::setenv("WEIR_UNMIRRORED", unmirrored ? "1" : "0", 1); }
    ~Unmirrored() { ::unsetenv("WEIR_UNMIRRORED"); }
    Unmirrored(const Unmirrored&) = delete;
    Unmirrored& operator=(const Unmirrored&) = delete;
};

using Case = std::tuple<std::size_t, WaitPolicy>;
class AnyCircle : public ::testing::TestWithParam<Case> {};

TEST_P(AnyCircle, BringsEveryItemThroughAllStages) {
    const auto [workers, wait] = GetParam();
    for (const bool unmirrored : {true, false}) {
        for (const std::uint64_t items : {1U, 7U, 8U, 9U, 64U, 1001U, 20'003U}) {
            const Unmirrored how(unmirrored);
            // The least possible number of buffers, so each one is overwritten again and again.
            Circle graph(workers, workers + 1, {.items = items});
            graph.plan.wait = wait;
            weir::Run run(graph.plan, graph.instances(), graph.streams());
            run_worker_schedules(run, graph.worker_schedules());
            ASSERT_TRUE(run.outcome().complete) << items;
            EXPECT_EQ(graph.sink->counters().items_in, items);
            EXPECT_EQ(graph.sink->digest(), graph.truth(items)) << items;
        }
    }
}

TEST_P(AnyCircle, ContinuesWithoutReaders) {
    const auto [workers, wait] = GetParam();
    for (const std::uint64_t wanted : {1U, 8U, 100U}) {
        const Unmirrored how(true);
        Circle graph(workers, workers + 1, {.items = 1'000'000}, {.items = wanted});
        graph.plan.wait = wait;
        RunSetup setup;
        setup.spec.items = 5'003;
        setup.verify = true;  // runs until all possible items are made
        weir::Run run(graph.plan, graph.instances(), graph.streams(), std::move(setup));
        run_worker_schedules(run, graph.worker_schedules());
        ASSERT_TRUE(run.outcome().complete) << wanted;
        EXPECT_EQ(graph.sink->counters().items_in, wanted);
        for (const auto& stage : graph.stages) EXPECT_EQ(stage->counters().items_out, 5'003U) << stage->spec().name;
    }
}

TEST_P(AnyCircle, MayGrowWhileItIsFast) {
    const auto [workers, wait] = GetParam();
    Circle graph(workers, 512, {.items = 60'000}, {}, (workers + 1) * Circle::kTimes);
    graph.plan.wait = wait;
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    run_worker_schedules(run, graph.worker_schedules());
    EXPECT_EQ(graph.sink->digest(), graph.truth(60'000));
}

TEST_P(AnyCircle, StopsWithoutAnEnd) {
    const auto [workers, wait] = GetParam();
    Circle graph(workers, workers + 1, {.items = 0});
    graph.plan.wait = wait;
    weir::Run run(graph.plan, graph.instances(), graph.streams());
    WorkerSchedules schedules = graph.worker_schedules();
    schedules.back() = [&graph, last = schedules.back(), workers](ScheduledWorker& at) {
        for (int i = 0; i != 100; ++i) {
            if (workers == 1 && !graph.source->fire(at, Circle::kTimes)) return;
            for (std::size_t stage = 2 * workers - 2; stage != 2 * workers; ++stage) {
                if (!graph.stages[stage]->fire(at, Circle::kTimes)) return;
            }
            if (!graph.sink->fire(at, Circle::kTimes)) return;
        }
        at.run().stop();  // the other workers wait for space or items, or soon will
    };
    run_worker_schedules(run, schedules);
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_EQ(graph.sink->counters().items_in, 800U);
}

INSTANTIATE_TEST_SUITE_P(Workers, AnyCircle,
                         ::testing::Combine(::testing::Values(1U, 2U, 3U, 4U),
                                            ::testing::Values(WaitPolicy::park, WaitPolicy::yield)));

TEST(Circuit, HasOneMemoryAndItsQuantaReturnInOrder) {
    const Unmirrored how(true);
    IdleTask task;
    const StreamSpec spec{.name = "s", .items = 16, .granule = 4};
    Stream<Item> first(spec), second(spec), third(spec);
    first.attach_writer(task, 4);
    auto& of_first = first.attach_reader(task, 4);
    second.attach_writer(task, 4);
    second.lie_over(first);
    auto& of_second = second.attach_reader(task, 4);
    third.attach_writer(task, 4);
    third.lie_over(second);
    auto& of_third = third.attach_reader(task, 4);
    Item* const begin = first.write_data();
    const auto pass = [](Stream<Item>& from, StreamBase::Reader& reader, Stream<Item>& to, std::size_t n) {
        EXPECT_EQ(from.read_data(reader), to.write_data());
        EXPECT_GE(to.writable(n, n).total, n);
        from.consume(reader, n);
        to.produce(n);
    };
    first.produce(16);
    EXPECT_EQ(first.writable(1, 1).total, 0U);
    pass(first, of_first, second, 16);
    EXPECT_EQ(first.writable(1, 1).total, 0U);  // the second reader has not yet read what the first one has
    pass(second, of_second, third, 12);
    third.readable(of_third, 4);
    third.consume(of_third, 4);
    EXPECT_EQ(first.writable(1, 1).total, 4U);
    EXPECT_EQ(first.write_data(), begin);
    // Items that reach `third` from now on have no reader; the rest are still on their way.
    third.detach(of_third);
    EXPECT_EQ(first.writable(16, 1).total, 12U);
    pass(second, of_second, third, 4);
    EXPECT_EQ(first.writable(16, 1).total, 16U);
}

TEST(Circuit, OnlyItsLastReadersWakeItsWriter) {
    IdleTask task;
    const StreamSpec spec{.name = "s", .items = 1024};
    Stream<Item> first(spec), second(spec), third(spec);
    struct Counting final : Waker {
        void wake(Instance&, const Fenced&) noexcept override { ++times; }
        bool is_at_hand() const noexcept override { return true; }
        int times = 0;
    } waker;
    task.set_waker(&waker);
    for (Stream<Item>* stream : {&first, &second, &third}) {
        stream->attach_writer(task, 4);
        stream->attach_reader(task, 4);
    }
    third.lie_over(second);  // in any order
    second.lie_over(first);
    EXPECT_FALSE(first.wakes_writer());
    EXPECT_FALSE(second.wakes_writer());
    ASSERT_TRUE(third.wakes_writer());
    third.wake_writer(fence_before_waking());
    EXPECT_EQ(waker.times, 1);
}

TEST(Circuit, LiesOverARingThatFits) {
    const auto ring = [](std::size_t items, std::size_t readers, std::size_t granule) {
        return StreamSpec{.name = "s", .items = items, .readers = readers, .granule = granule};
    };
    const Unmirrored how(true);
    Stream<Item> below(ring(8, 1, 1)), larger(ring(9, 1, 1)), forked(ring(8, 2, 1)), coarse(ring(8, 1, 2)),
        above(ring(8, 1, 1));
    Stream<std::uint64_t> wider(ring(8, 1, 1));
    for (StreamBase* stream : {static_cast<StreamBase*>(&larger), static_cast<StreamBase*>(&forked),
                               static_cast<StreamBase*>(&coarse), static_cast<StreamBase*>(&wider)}) {
        EXPECT_THROW(above.lie_over(*stream), std::logic_error);
    }
    above.lie_over(below);
    IdleTask task;
    EXPECT_THROW(above.attach_writer(task, 5), std::logic_error);  // a ring holds two calls, and this one cannot grow
}

}  // namespace
}  // namespace weir::testing
