#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "sources/paced_source/paced_source.hpp"

namespace weir {
namespace {

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

blocks::PacedSource<std::int32_t> make(double rate, std::int64_t burst_items, std::int64_t barrier_ns) {
    blocks::PacedSource<std::int32_t> source;
    source.params = {.rate = rate, .burst_items = burst_items};
    source.start({});
    source.begin(barrier_ns);
    return source;
}

TEST(PacedSource, SchedulesFromTheBarrier) {
    const auto source = make(1000.0, 1, 5'000);
    EXPECT_EQ(source.scheduled_ns(0), 5'000);
    EXPECT_EQ(source.scheduled_ns(1), 1'005'000);
    EXPECT_EQ(source.scheduled_ns(1'000'000'000), 1'000'000'000'005'000);
}

TEST(PacedSource, ABurstIsDueAtOnce) {
    const auto source = make(1e6, 250, 0);
    EXPECT_EQ(source.scheduled_ns(249), 0);
    EXPECT_EQ(source.scheduled_ns(250), 250'000);
    EXPECT_EQ(source.scheduled_ns(499), 250'000);
}

TEST(PacedSource, WaitsForTheFirstItem) {
    const auto barrier = now_ns() + 3'600'000'000'000;
    auto source = make(1e6, 1, barrier);
    std::vector<std::int32_t> space(10);
    Out<std::int32_t> out(space);
    const auto result = source.work(out);
    EXPECT_EQ(result.status, WorkStatus::wait);
    EXPECT_EQ(result.wake_ns, barrier);
    EXPECT_EQ(out.produced(), 0U);
}

TEST(PacedSource, NeverGivesAnItemBeforeItIsDueNorWakesForNothing) {
    for (const double rate : {20'000.0, 333'333.0, 1e6 / 7.0}) {
        auto source = make(rate, 3, now_ns());
        std::vector<std::int32_t> space(64);
        std::uint64_t items = 0;
        while (items < 600) {
            Out<std::int32_t> out(space);
            const auto result = source.work(out);
            if (result.status == WorkStatus::wait) {
                EXPECT_EQ(result.wake_ns, source.scheduled_ns(items));
                while (now_ns() < result.wake_ns) std::this_thread::yield();
                Out<std::int32_t> again(space);
                ASSERT_EQ(source.work(again).status, WorkStatus::ok);
                items += again.produced();
            } else {
                ASSERT_EQ(result.status, WorkStatus::ok);
                items += out.produced();
            }
            EXPECT_LE(source.scheduled_ns(items - 1), now_ns());
        }
    }
}

TEST(PacedSource, WhenLateItGivesAllThatIsDueAndKeepsTheTimes) {
    const auto barrier = now_ns() - 1'000'000'000;
    auto source = make(1000.0, 1, barrier);
    std::vector<std::int32_t> space(900);
    Out<std::int32_t> out(space);
    EXPECT_EQ(source.work(out).status, WorkStatus::ok);
    EXPECT_EQ(out.produced(), 900U);
    EXPECT_EQ(source.scheduled_ns(899), barrier + 899'000'000);
}

TEST(PacedSource, RefusesARateOfZero) {
    blocks::PacedSource<float> source;
    source.params.rate = 0.0;
    EXPECT_THROW(source.start({}), std::runtime_error);
}

}  // namespace
}  // namespace weir
