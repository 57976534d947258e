#include <gtest/gtest.h>

#include <vector>

#include "flow/pace/pace.hpp"

namespace weir {
namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

blocks::Pace<std::int32_t> make(double rate, std::int64_t burst_items, std::int64_t barrier_ns) {
    blocks::Pace<std::int32_t> pace;
    pace.params = {.rate = rate, .burst_items = burst_items};
    pace.start({});
    pace.begin(barrier_ns);
    return pace;
}

/// Offers the items from..from + items, and expects those that pass to be the first of them.
WorkResult offer(blocks::Pace<std::int32_t>& pace, std::size_t items, std::size_t expected) {
    std::vector<std::int32_t> from(items), to(items);
    for (std::size_t i = 0; i < items; ++i) from[i] = static_cast<std::int32_t>(i) + 7;
    In<std::int32_t> in(from, false);
    Out<std::int32_t> out(to);
    const WorkResult result = pace.work(in, out);
    EXPECT_EQ(in.consumed(), expected);
    EXPECT_EQ(out.produced(), expected);
    for (std::size_t i = 0; i < out.produced(); ++i) EXPECT_EQ(to[i], from[i]);
    return result;
}

TEST(Pace, AnItemIsDueAsManyBurstsAfterTheBarrierAsComeBeforeIt) {
    const auto pace = make(1e6, 250, 5'000);
    EXPECT_EQ(pace.scheduled_ns(0), 5'000);
    EXPECT_EQ(pace.scheduled_ns(249), 5'000);
    EXPECT_EQ(pace.scheduled_ns(250), 255'000);
}

TEST(Pace, PassesWhatIsDueAndAsksToBeCalledForTheRest) {
    const std::int64_t barrier = monotonic_ns() - kHour;
    auto pace = make(1.0, 1, barrier);  // 3601 items are due
    EXPECT_EQ(offer(pace, 3000, 3000).status, WorkStatus::ok);
    EXPECT_EQ(offer(pace, 601, 601).status, WorkStatus::ok);
    const WorkResult result = offer(pace, 10, 0);
    EXPECT_EQ(result.status, WorkStatus::wait);
    EXPECT_EQ(result.wake_ns, barrier + kHour + 1'000'000'000);
}

TEST(Pace, WhatIsLateKeepsItsTime) {
    const std::int64_t barrier = monotonic_ns() - kHour;
    auto pace = make(1000.0, 1, barrier);
    offer(pace, 100'000, 100'000);
    EXPECT_EQ(pace.scheduled_ns(99'999), barrier + 99'999'000'000);
}

TEST(Pace, LetsAllThroughWhereNothingIsTimed) {
    blocks::Pace<std::int32_t> pace;
    pace.params = {.rate = 1e-3, .burst_items = 1};
    BlockContext context;
    context.untimed = true;
    pace.start(context);
    pace.begin(monotonic_ns());
    for (int i = 0; i < 100; ++i) offer(pace, 100, 100);
}

TEST(Pace, RefusesARateOfZeroAndAnEmptyBurst) {
    blocks::Pace<float> pace;
    pace.params.rate = 0.0;
    EXPECT_THROW(pace.start({}), std::runtime_error);
    pace.params = {.rate = 1.0, .burst_items = 0};
    EXPECT_THROW(pace.start({}), std::runtime_error);
}

}  // namespace
}  // namespace weir
