// Whether a paced source falls behind: from made-up courses of its lateness.
#include "weir/lateness.hpp"

#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include "hand_driven.hpp"

namespace {

using namespace weir;

constexpr std::int64_t kMs = 1'000'000;

/// A second, with a sample each 100 us; `late_ms` tells the lateness from the time in ms.
std::optional<bool> behind(const std::function<double(double)>& late_ms, Window window = {0, 1000 * kMs}) {
    LatenessLog log;
    for (std::int64_t us = 100; us <= 1'000'000; us += 100) {
        log.add(1000 * us, static_cast<std::int64_t>(1e6 * late_ms(static_cast<double>(us) * 1e-3)));
    }
    return falls_behind(log.samples(), window);
}

TEST(Lateness, ABacklogThatGrowsIsFallingBehind) {
    EXPECT_EQ(behind([](double t) { return 0.3 * t; }), true);
    EXPECT_EQ(behind([](double t) { return 0.02 * t; }), true);  // 2 % too much
}

TEST(Lateness, AConstantDelayIsNot) {
    EXPECT_EQ(behind([](double) { return 0.1; }), false);
    EXPECT_EQ(behind([](double) { return 400.0; }), false);
}

TEST(Lateness, AHiccupThatIsMadeUpForIsNot) {
    for (const double at : {50.0, 300.0, 500.0, 650.0, 940.0}) {
        // 60 ms are lost at once, and made up for over 100 ms.
        EXPECT_EQ(behind([at](double t) { return t < at || t > at + 100 ? 0.1 : 60 * (1 - (t - at) / 100); }), false) << at;
    }
}

TEST(Lateness, ABacklogThatShrinksIsNot) {
    EXPECT_EQ(behind([](double t) { return 500 - 0.4 * t; }), false);
}

TEST(Lateness, OnlyTheWindowCounts) {
    const auto late = [](double t) { return t < 300 ? t : 300; };
    EXPECT_EQ(behind(late, {0, 300 * kMs}), true);
    EXPECT_EQ(behind(late, {400 * kMs, 1000 * kMs}), false);
    EXPECT_EQ(behind(late, {2000 * kMs, 3000 * kMs}), std::nullopt);
}

TEST(Lateness, TheLogStaysSmallAndCoversTheWholeRun) {
    LatenessLog log;
    constexpr std::int64_t kHour = 3'600'000 * kMs;
    for (std::int64_t t = 1; t < kHour; t += 50 * kMs) log.add(t, t);
    ASSERT_GE(log.samples().size(), 100U);
    EXPECT_LE(log.samples().size(), 256U);
    EXPECT_LT(log.samples().front().time_ns, kHour / 50);
    EXPECT_GT(log.samples().back().time_ns, kHour - kHour / 50);
    EXPECT_EQ(falls_behind(log.samples(), {0, kHour}), true);
}

/// Due at a time that the test sets.
struct Due {
    struct Params {
        double rate = 1e3;
    };
    Params params;
    std::int64_t at_ns = 0;
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return at_ns + static_cast<std::int64_t>(index) * kMs; }
    WorkResult work(Out<weir::testing::Item>& out) noexcept {
        out.produce(4);
        return WorkStatus::ok;
    }
};

TEST(Lateness, ANodeWithASchedulePutsDownHowLateItsNewestItemIs) {
    weir::testing::Wire<> wire(64);
    Node<Due> source({.name = "source"}, {}, ins(), outs(wire));
    source.block().at_ns = monotonic_ns() - 1000 * kMs;
    source.step();
    ASSERT_EQ(source.lateness().size(), 1U);
    EXPECT_GE(source.lateness()[0].late_ns, 997 * kMs);
    EXPECT_EQ(source.lateness()[0].time_ns - source.lateness()[0].late_ns, source.block().at_ns + 3 * kMs);
    EXPECT_EQ(source.offered_items_per_s(), 1e3);
    weir::testing::Wire<> another(64);
    Node<weir::testing::Source> other({.name = "other"}, {}, ins(), outs(another));
    EXPECT_EQ(other.offered_items_per_s(), std::nullopt);
}

}  // namespace
