// Tests that every scheduler gives the result of plain loops, for every shape, chunking and wait policy.
#include <gtest/gtest.h>

#include "flow_plans.hpp"
#include "judgement.hpp"
#include "scheduler_shapes.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

/// Run the graph with the scheduler's placement. If jobs move, use one to four workers.
template <class Scheduler> Outcome run_under(const Graph& graph, Settings settings, std::uint64_t seed) {
    if (Placements<Scheduler>::kMove) settings.pool_workers = 1 + seed / 2 % 4;
    return run_graph(graph, Placements<Scheduler>::make(graph, seed), settings, [](Run& run) { Scheduler{}.run(run); });
}

template <class Scheduler> class Schedulers : public ::testing::Test {};
TYPED_TEST_SUITE(Schedulers, AllSchedulers);

/// Uses every wait policy, unsplit chunks and some random ones. weir_fuzz_graphs tests random graphs.
TYPED_TEST(Schedulers, Shapes) {
    for (const NamedShape& shape : scheduler_shapes()) {
        const Reference reference = evaluate(shape.graph);
        for (const WaitPolicy wait : {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin}) {
            for (std::uint64_t seed = 0; seed < (wait == WaitPolicy::park ? 8 : 2); ++seed) {
                Settings settings;
                settings.seed = seed;
                settings.wait = wait;
                settings.least_buffer = shape.least_buffer;
                settings.only_rings = seed == 1;
                const Outcome outcome = run_under<TypeParam>(shape.graph, settings, seed);
                const auto found = judge(shape.graph, reference, outcome, false);
                ASSERT_FALSE(found) << shape.name << ", wait " << static_cast<int>(wait) << ", seed " << seed << "\n"
                                    << found->text;
            }
        }
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
    EXPECT_LE(*outcome.run.window_items,
              1'000U);  // the window excludes items that left the source before the sink had 500
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

}  // namespace
