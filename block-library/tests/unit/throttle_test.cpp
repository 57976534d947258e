#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "flow/throttle/throttle.hpp"

namespace weir {
namespace {

blocks::Throttle<std::int32_t> make(double rate, std::int64_t burst_items, std::int64_t barrier_ns) {
    blocks::Throttle<std::int32_t> throttle;
    throttle.params = {.rate = rate, .burst_items = burst_items};
    throttle.start({});
    throttle.begin(barrier_ns);
    return throttle;
}

struct Call {
    WorkResult result;
    std::size_t passed;
};

Call offer(blocks::Throttle<std::int32_t>& throttle, std::size_t items) {
    const std::vector<std::int32_t> from(items, 1);
    std::vector<std::int32_t> to(items);
    In<std::int32_t> in(from, false);
    Out<std::int32_t> out(to);
    const WorkResult result = throttle.work(in, out);
    EXPECT_EQ(in.consumed(), out.produced());
    return {result, out.produced()};
}

TEST(Throttle, LetsAllThroughWhereNothingIsTimed) {
    blocks::Throttle<std::int32_t> throttle;
    throttle.params = {.rate = 1e-3, .burst_items = 1};
    BlockContext context;
    context.untimed = true;
    throttle.start(context);
    throttle.begin(monotonic_ns());
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(offer(throttle, 100).passed, 100U);
}

TEST(Throttle, AsksToBeCalledAgainInsteadOfWaiting) {
    constexpr std::int64_t kHour = 3'600'000'000'000;
    const std::int64_t before = monotonic_ns();
    auto throttle = make(1e6, 1, before + kHour);
    for (int i = 0; i < 1000; ++i) {
        const Call call = offer(throttle, 100);
        ASSERT_EQ(call.result.status, WorkStatus::wait);
        ASSERT_EQ(call.result.wake_ns, before + kHour);
        ASSERT_EQ(call.passed, 0U);
    }
    EXPECT_LT(monotonic_ns() - before, kHour / 100);
}

TEST(Throttle, PassesNoItemBeforeItsTimeAndIsNeverWokenForNothing) {
    constexpr std::int64_t kGap = 50'000;
    auto throttle = make(1e9 / static_cast<double>(kGap), 1, monotonic_ns());
    const std::int64_t barrier = monotonic_ns();
    std::int64_t passed = 0, waits = 0;
    while (passed < 400) {
        const Call call = offer(throttle, 16);
        if (call.result.status == WorkStatus::wait) {
            ++waits;
            while (monotonic_ns() < call.result.wake_ns) std::this_thread::yield();
            ASSERT_GT(offer(throttle, 1).passed, 0U);
            ++passed;
        } else {
            ASSERT_EQ(call.result.status, WorkStatus::ok);
            passed += static_cast<std::int64_t>(call.passed);
        }
        // The throttle's barrier came before this one, by what a call takes.
        ASSERT_LE((passed - 1) * kGap, monotonic_ns() - barrier + 1'000'000'000);
    }
    EXPECT_GE(monotonic_ns() - barrier, 399 * kGap - 1'000'000);
    EXPECT_GT(waits, 0);
}

TEST(Throttle, OverdueItemsPassAtOnceAndNoMore) {
    auto throttle = make(1000.0, 1, monotonic_ns() - 500'000'000);
    const Call call = offer(throttle, 400);
    EXPECT_EQ(call.result.status, WorkStatus::ok);
    EXPECT_EQ(call.passed, 400U);
    // 101 are left of the half second, and one a millisecond since.
    const Call rest = offer(throttle, 1'000'000);
    EXPECT_GE(rest.passed, 101U);
    EXPECT_LT(rest.passed, 100'000U);
}

TEST(Throttle, ABurstPassesTogether) {
    const std::int64_t barrier = monotonic_ns();
    auto throttle = make(1.0, 250, barrier);
    EXPECT_EQ(offer(throttle, 1000).passed, 250U);
    const Call call = offer(throttle, 1000);
    EXPECT_EQ(call.result.status, WorkStatus::wait);
    EXPECT_EQ(call.result.wake_ns, barrier + 250'000'000'000);
}

TEST(Throttle, WhatComesInTheLatencyBudgetPassesTogetherWhereNoBurstIsNamed) {
    blocks::Throttle<std::int32_t> throttle;
    throttle.params = {.rate = 100.0, .latency_budget = 0.25};
    throttle.start({});
    EXPECT_EQ(throttle.params.burst_items, 25);
    const std::int64_t barrier = monotonic_ns();
    throttle.begin(barrier);
    EXPECT_EQ(offer(throttle, 1000).passed, 25U);
    EXPECT_EQ(offer(throttle, 1000).result.wake_ns, barrier + 250'000'000);

    auto slow = make(1.0, 0, barrier);  // not one item in 20 ms
    EXPECT_EQ(offer(slow, 1000).passed, 1U);
    EXPECT_EQ(offer(slow, 1000).result.wake_ns, barrier + 1'000'000'000);
}

TEST(Throttle, RefusesARateOfZeroAndANegativeBurst) {
    blocks::Throttle<float> throttle;
    throttle.params.rate = 0.0;
    EXPECT_THROW(throttle.start({}), std::runtime_error);
    throttle.params = {.rate = 1.0, .burst_items = -1};
    EXPECT_THROW(throttle.start({}), std::runtime_error);
}

}  // namespace
}  // namespace weir
