// Tests of the blocks that move items when they are due (weir/pacing.hpp).
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "flow/pace/pace.hpp"
#include "flow/throttle/throttle.hpp"
#include "sources/paced_source/paced_source.hpp"

namespace weir {
namespace {

using Item = std::int32_t;
using Throttle = blocks::Throttle<Item>;
constexpr std::int64_t kHour = 3'600'000'000'000;

struct Call {
    WorkResult result;
    std::size_t moved;
};

/// Call the block with space for this many items. If it has an input, it must pass on the input's first items.
template <class B> Call call(B& block, std::size_t items) {
    std::vector<Item> from(items), to(items);
    for (std::size_t i = 0; i < items; ++i) from[i] = static_cast<Item>(i) + 7;
    Out<Item> out(to);
    if constexpr (requires(In<Item> in) { block.work(in, out); }) {
        In<Item> in(from, false);
        const WorkResult result = block.work(in, out);
        EXPECT_EQ(in.consumed(), out.produced());
        EXPECT_TRUE(std::equal(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(out.produced()), from.begin()));
        return {result, out.produced()};
    } else {
        const WorkResult result = block.work(out);
        return {result, out.produced()};
    }
}

template <class B> class Pacing : public testing::Test {
  protected:
    static B make(double rate, std::int64_t burst_items, std::int64_t barrier_ns, const BlockContext& context = {}) {
        B block;
        block.params = {.rate = rate, .burst_items = burst_items};
        block.start(context);
        block.begin(barrier_ns);
        return block;
    }
};
using Blocks = testing::Types<blocks::Pace<Item>, Throttle, blocks::PacedSource<Item>>;
TYPED_TEST_SUITE(Pacing, Blocks);

TYPED_TEST(Pacing, AnItemIsDueAsManyBurstsAfterTheBarrierAsComeBeforeIt) {
    if constexpr (requires(TypeParam block) { block.scheduled_ns(0); }) {
        const auto block = this->make(1e6, 250, 5'000);
        EXPECT_EQ(block.scheduled_ns(0), 5'000);
        EXPECT_EQ(block.scheduled_ns(249), 5'000);
        EXPECT_EQ(block.scheduled_ns(250), 255'000);
        EXPECT_EQ(this->make(1000.0, 1, 5'000).scheduled_ns(1'000'000'000), 1'000'000'000'005'000);
    }
}

TYPED_TEST(Pacing, AsksToBeCalledAgainInsteadOfWaiting) {
    const std::int64_t before = monotonic_ns();
    auto block = this->make(1e6, 1, before + kHour);
    for (int i = 0; i < 1000; ++i) {
        const Call it = call(block, 100);
        ASSERT_EQ(it.result.status, WorkStatus::wait);
        ASSERT_EQ(it.result.wake_ns, before + kHour);
        ASSERT_EQ(it.moved, 0U);
    }
    EXPECT_LT(monotonic_ns() - before, kHour / 100);
}

TYPED_TEST(Pacing, MovesNoItemBeforeItsTimeAndIsNeverWokenForNothing) {
    for (const double rate : {20'000.0, 333'333.0, 1e6 / 7.0}) {
        const std::int64_t barrier = monotonic_ns();
        auto block = this->make(rate, 3, barrier);
        std::size_t moved = 0, waits = 0;
        while (moved < 600) {
            Call it = call(block, 64);
            if (it.result.status == WorkStatus::wait) {
                ++waits;
                while (monotonic_ns() < it.result.wake_ns) std::this_thread::yield();
                it = call(block, 64);
            }
            ASSERT_EQ(it.result.status, WorkStatus::ok);
            moved += it.moved;
            ASSERT_LE(static_cast<double>((moved - 1) / 3) * 3e9 / rate, static_cast<double>(monotonic_ns() - barrier));
        }
        EXPECT_GT(waits, 0U);
    }
}

TYPED_TEST(Pacing, WhatIsOverdueMovesAtOnceAndNoMoreAndKeepsItsTime) {
    const std::int64_t barrier = monotonic_ns() - kHour;
    auto block = this->make(1.0, 1, barrier);  // 3601 items are due
    EXPECT_EQ(call(block, 3000).moved, 3000U);
    EXPECT_EQ(call(block, 1000).moved, 601U);
    const Call it = call(block, 10);
    EXPECT_EQ(it.result.status, WorkStatus::wait);
    EXPECT_EQ(it.result.wake_ns, barrier + kHour + 1'000'000'000);
    if constexpr (requires { block.scheduled_ns(0); }) {
        EXPECT_EQ(block.scheduled_ns(100), barrier + 100'000'000'000);
    }
}

TYPED_TEST(Pacing, ABurstMovesTogether) {
    const std::int64_t barrier = monotonic_ns();
    auto block = this->make(1.0, 250, barrier);
    EXPECT_EQ(call(block, 1000).moved, 250U);
    const Call it = call(block, 1000);
    EXPECT_EQ(it.result.status, WorkStatus::wait);
    EXPECT_EQ(it.result.wake_ns, barrier + 250'000'000'000);
}

TYPED_TEST(Pacing, AllMovesWhereNothingIsTimed) {
    BlockContext context;
    context.untimed = true;
    auto block = this->make(1e-3, 1, monotonic_ns(), context);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(call(block, 100).moved, 100U);
}

TYPED_TEST(Pacing, RefusesARateOfZeroAndANegativeBurst) {
    EXPECT_THROW(this->make(0.0, 1, 0), std::runtime_error);
    EXPECT_THROW(this->make(1.0, -1, 0), std::runtime_error);
    // A burst of 0 is valid for a throttle, which then computes its burst.
    if constexpr (!std::is_same_v<TypeParam, Throttle>) {
        EXPECT_THROW(this->make(1.0, 0, 0), std::runtime_error);
    }
}

TEST(Throttle, WhatComesInTheLatencyBudgetPassesTogetherWhereNoBurstIsNamed) {
    const std::int64_t barrier = monotonic_ns();
    for (const auto& [params, burst, period_ns] :
         {std::tuple{Throttle::Params{.rate = 100.0, .latency_budget = 0.25}, 25U, 250'000'000},
          std::tuple{Throttle::Params{.rate = 1.0}, 1U, 1'000'000'000}}) {  // less than one item in 20 ms
        Throttle throttle;
        throttle.params = params;
        throttle.start({});
        EXPECT_EQ(throttle.params.burst_items, burst);
        throttle.begin(barrier);
        EXPECT_EQ(call(throttle, 1000).moved, burst);
        EXPECT_EQ(call(throttle, 1000).result.wake_ns, barrier + period_ns);
    }
}

}  // namespace
}  // namespace weir
