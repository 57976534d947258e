// Every scheduler gives the answer of plain loops, on every shape, however the streams are cut and the workers wait.
#include <cstdlib>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "flow_plans.hpp"
#include "scheduler_shapes.hpp"
#include "test_graph.hpp"
#include "thread_pool/thread_pool.hpp"
#include "work_stealing/work_stealing.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

template <class Scheduler> struct Placements {
    static constexpr bool kOneEach =
        std::is_same_v<Scheduler, ThreadPerBlock> || std::is_same_v<Scheduler, schedulers::WorkStealing>;
    static constexpr bool kMove =
        std::is_same_v<Scheduler, schedulers::ThreadPool> || std::is_same_v<Scheduler, schedulers::WorkStealing>;

    static Placement make(const Graph& graph, std::uint64_t seed) {
        if constexpr (std::is_same_v<Scheduler, SingleThread>) return on_one_worker(graph);
        if constexpr (kOneEach) return on_one_each(graph);
        return dealt_out(graph, 1 + seed % 4 + (kMove ? seed % 3 : 0), seed);
    }
};

/// Runs the graph with the scheduler's placement; where jobs move, between one worker and four.
template <class Scheduler> Outcome run_under(const Graph& graph, Settings settings, std::uint64_t seed) {
    if (Placements<Scheduler>::kMove) settings.pool_workers = 1 + seed / 2 % 4;
    return run_graph(graph, Placements<Scheduler>::make(graph, seed), settings, [](Run& run) { Scheduler{}.run(run); });
}

/// Runs and compares every sink: items, digest, and what `expected_items` foretold.
template <class Scheduler> Outcome check(const Graph& graph, const Settings& settings, std::uint64_t seed = 3) {
    const Outcome outcome = run_under<Scheduler>(graph, settings, seed);
    EXPECT_FALSE(outcome.timed_out) << outcome.diagnosis;
    EXPECT_TRUE(outcome.run.complete);
    EXPECT_FALSE(outcome.run.failure) << outcome.run.failure->instance << ": " << outcome.run.failure->message;
    const auto answers = answer(graph);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (graph[i].kind != Kind::sink) continue;
        EXPECT_EQ(outcome.items[i], answers[i].size()) << "op" << i;
        EXPECT_EQ(outcome.digests[i], digest_of(answers[i].data(), answers[i].size(), 0)) << "op" << i;
        EXPECT_EQ(outcome.expected.at(i), answers[i].size()) << "op" << i;
    }
    return outcome;
}

template <class Scheduler> class Schedulers : public ::testing::Test {
  protected:
    /// Every wait policy, without cuts and with some random ones.
    void check_everywhere(const NamedShape& shape) {
        for (const WaitPolicy wait : {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin}) {
            for (std::uint64_t seed = 0; seed < (wait == WaitPolicy::park ? 8 : 2); ++seed) {
                SCOPED_TRACE("wait " + std::to_string(static_cast<int>(wait)) + ", seed " + std::to_string(seed));
                Settings settings;
                settings.seed = seed;
                settings.wait = wait;
                settings.least_buffer = shape.least_buffer;
                settings.only_rings = seed == 1;
                check<Scheduler>(shape.graph, settings, seed);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
};
using All =
    ::testing::Types<SingleThread, ThreadPerBlock, schedulers::Flow, schedulers::ThreadPool, schedulers::WorkStealing>;
TYPED_TEST_SUITE(Schedulers, All);

TYPED_TEST(Schedulers, Chain) { this->check_everywhere(shape_named("chain")); }
TYPED_TEST(Schedulers, OneItem) { this->check_everywhere(shape_named("one item")); }
TYPED_TEST(Schedulers, MoreBlocksThanCores) { this->check_everywhere(shape_named("more blocks than cores")); }
TYPED_TEST(Schedulers, NoItems) { this->check_everywhere(shape_named("no items")); }
TYPED_TEST(Schedulers, Fork) { this->check_everywhere(shape_named("fork")); }
TYPED_TEST(Schedulers, Diamond) { this->check_everywhere(shape_named("diamond")); }
TYPED_TEST(Schedulers, DiamondOfTwoOutputs) { this->check_everywhere(shape_named("diamond of two outputs")); }
TYPED_TEST(Schedulers, JoinOfOneStreamWithItself) {
    this->check_everywhere(shape_named("join of one stream with itself"));
}
TYPED_TEST(Schedulers, RatesChange) { this->check_everywhere(shape_named("rates change")); }
TYPED_TEST(Schedulers, RatesChangeWithinADiamond) {
    this->check_everywhere(shape_named("rates change within a diamond"));
}
TYPED_TEST(Schedulers, JoinEndsAtItsShortestInput) {
    this->check_everywhere(shape_named("join ends at its shortest input"));
}
TYPED_TEST(Schedulers, HeadStopsASourceThatNeverEnds) {
    this->check_everywhere(shape_named("head stops a source that never ends"));
}
TYPED_TEST(Schedulers, FinishedReaderDoesNotBlockItsSiblings) {
    this->check_everywhere(shape_named("finished reader does not block its siblings"));
}
TYPED_TEST(Schedulers, DoneTravelsUpThroughForks) {
    this->check_everywhere(shape_named("done travels up through forks"));
}
TYPED_TEST(Schedulers, OpenOutput) { this->check_everywhere(shape_named("open output")); }
TYPED_TEST(Schedulers, TimedWaits) { this->check_everywhere(shape_named("timed waits")); }

TYPED_TEST(Schedulers, TailsAreDroppedAndCounted) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        Settings settings;
        settings.seed = seed;
        const Outcome outcome = check<TypeParam>(
            {{Kind::source, {}, 1'003}, {Kind::decimate, {{0}}, 10}, {Kind::sink, {{1}}}}, settings, seed);
        EXPECT_EQ(outcome.tails[1], 3U);
    }
}

TYPED_TEST(Schedulers, RunItemsBoundTheSource) {
    Settings settings;
    settings.items = 1'500;
    settings.warmup_items = 500;
    const Graph graph = chain_of(0, 2);
    const Outcome outcome = run_under<TypeParam>(graph, settings, 2);
    EXPECT_TRUE(outcome.run.complete) << outcome.diagnosis;
    EXPECT_EQ(outcome.items.back(), 1'500U);
    EXPECT_EQ(outcome.expected.back(), 1'500U);
    ASSERT_TRUE(outcome.run.window);
    EXPECT_GT(outcome.run.window->duration_ns(), 0);
    EXPECT_LE(outcome.run.window->duration_ns(), outcome.run.elapsed_ns);
    EXPECT_LE(*outcome.run.window_items, 1'000U);  // what left the source before the sink had 500 is not in the window
}

TYPED_TEST(Schedulers, VerificationSendsThePatternThrough) {
    Settings settings;
    settings.items = 2'345;
    settings.verify = true;
    const Graph graph{{Kind::source, {}, 0}, {Kind::affine, {{0}}}, {Kind::sink, {{1}}}, {Kind::sink, {{0}}}};
    std::vector<Item> pattern, mapped;
    for (std::uint64_t i = 0; i < settings.items; ++i) {
        pattern.push_back(CounterPattern<Item>::item(i));
        mapped.push_back(Affine::of(pattern.back()));
    }
    const Outcome outcome = run_under<TypeParam>(graph, settings, 2);
    EXPECT_TRUE(outcome.run.complete) << outcome.diagnosis;
    EXPECT_EQ(outcome.digests[2], digest_of(mapped.data(), mapped.size(), 0));
    EXPECT_EQ(outcome.digests[3], digest_of(pattern.data(), pattern.size(), 0));
}

TYPED_TEST(Schedulers, ErrorStopsTheRunAndNamesTheBlock) {
    for (const WaitPolicy wait : {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin}) {
        Settings settings;
        settings.wait = wait;
        const Graph graph{{Kind::source, {}, 0},
                          {Kind::affine, {{0}}},
                          {Kind::fail, {{1}}, 3'000},
                          {Kind::sink, {{2}}},
                          {Kind::sink, {{0}}}};
        const Outcome outcome = run_under<TypeParam>(graph, settings, 3);
        EXPECT_FALSE(outcome.timed_out) << outcome.diagnosis;
        EXPECT_FALSE(outcome.run.complete);
        EXPECT_FALSE(outcome.run.stopped);
        ASSERT_TRUE(outcome.run.failure);
        EXPECT_EQ(outcome.run.failure->instance, "op2");
        EXPECT_EQ(outcome.run.failure->message, "as told");
    }
}

TYPED_TEST(Schedulers, StoppedFromOutside) {
    const Graph graph = chain_of(0, 3);
    Settings settings;
    if (Placements<TypeParam>::kMove) settings.pool_workers = 2;
    Flowgraph flowgraph(graph, Placements<TypeParam>::make(graph, 3), settings);
    Run run(flowgraph.plan(), flowgraph.tasks(), flowgraph.streams());
    std::thread stopper([&] {
        while (flowgraph.task(4).counters().items_in.load() < 1'000) std::this_thread::yield();
        run.stop();
    });
    TypeParam{}.run(run);
    stopper.join();
    EXPECT_TRUE(run.outcome().stopped);
    EXPECT_FALSE(run.outcome().complete);
    EXPECT_FALSE(run.outcome().failure);
    EXPECT_GT(run.outcome().elapsed_ns, 0);
}

/// A graph whose rates agree: a join takes ports of one rate only, so that no side of it must hold ever more.
Graph random_graph(std::uint64_t seed) {
    struct Open {
        Port port;
        std::uint64_t up, down;  ///< rate = up / down
        bool endless;
    };
    std::uint64_t state = seed;
    const auto draw = [&state](std::uint64_t n) {
        state = splitmix64(state);
        return (state >> 8) % n;
    };
    Graph graph;
    std::vector<Open> ports;
    std::vector<bool> read;
    const auto add = [&](Op op, std::uint64_t up, std::uint64_t down, bool endless) {
        for (const Port& from : op.inputs) {
            for (std::size_t i = 0; i < ports.size(); ++i) {
                if (ports[i].port.op == from.op && ports[i].port.port == from.port) read[i] = true;
            }
        }
        const std::uint64_t divisor = std::gcd(up, down);
        for (std::size_t port = 0; port < outputs_of(op.kind); ++port) {
            ports.push_back({{graph.size(), port}, up / divisor, down / divisor, endless});
            read.push_back(false);
        }
        graph.push_back(std::move(op));
    };
    const std::uint64_t sources = 1 + draw(3);
    for (std::uint64_t i = 0; i < sources; ++i) {
        const bool endless = draw(6) == 0;
        add({Kind::source, {}, endless ? 0 : 1 + draw(3'000)}, 1, 1, endless);
        if (endless) add({Kind::head, {ports.back().port}, 1 + draw(2'000)}, 1, 1, false);
    }
    for (std::uint64_t i = 0, inner = draw(12); i < inner; ++i) {
        const Open from = ports[draw(ports.size())];
        if (from.endless) continue;
        const std::uint64_t factor = 2 + draw(3);
        switch (draw(8)) {
            case 0:
                if (from.down < 8) add({Kind::decimate, {from.port}, factor}, from.up, from.down * factor, false);
                break;
            case 1:
                if (from.up < 8) add({Kind::interpolate, {from.port}, factor}, from.up * factor, from.down, false);
                break;
            case 2: add({Kind::head, {from.port}, draw(1'500)}, from.up, from.down, false); break;
            case 3: add({Kind::split, {from.port}}, from.up, from.down, false); break;
            case 4:
            case 5:
                for (const Open& other : ports) {
                    if (other.up != from.up || other.down != from.down || other.endless || draw(3) == 0) continue;
                    add({Kind::join, {from.port, other.port}}, from.up, from.down, false);
                    break;
                }
                break;
            case 6: add({Kind::pacer, {from.port}}, from.up, from.down, false); break;
            default: add({Kind::affine, {from.port}}, from.up, from.down, false); break;
        }
    }
    const std::size_t ports_before_sinks = ports.size();
    for (std::size_t i = 0; i < ports_before_sinks; ++i) {
        if (ports[i].endless || (read[i] && draw(4) != 0)) continue;
        graph.push_back({Kind::sink, {ports[i].port}, draw(5) == 0 ? 1 + draw(200) : 0});
    }
    return graph;
}

// WEIR_STRESS=N: N random graphs, from WEIR_STRESS_SEED on.
TYPED_TEST(Schedulers, RandomGraphs) {
    const auto from_environment = [](const char* name, std::uint64_t otherwise) {
        const char* text = std::getenv(name);
        return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
    };
    const std::uint64_t graphs = from_environment("WEIR_STRESS", 150), first = from_environment("WEIR_STRESS_SEED", 1);
    for (std::uint64_t seed = first; seed < first + graphs; ++seed) {
        SCOPED_TRACE("WEIR_STRESS_SEED=" + std::to_string(seed));
        Settings settings;
        settings.seed = seed;
        settings.chunk = 1 + seed % 97;
        settings.least_buffer = 2'048;  // a diamond of rates up to 32 may hold that much back
        settings.buffer = 4'096;
        settings.only_rings = seed % 5 == 0;
        settings.wait = seed % 7 == 0 ? WaitPolicy::yield : WaitPolicy::park;
        settings.metrics = static_cast<Metrics>(seed % 3);
        check<TypeParam>(random_graph(seed), settings, seed);
        if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace
