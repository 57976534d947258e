// Tests the lateness check on synthetic arrivals.
#include "weir/lateness.hpp"

#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "hand_driven.hpp"
#include "weir/expected.hpp"
#include "weir/pacing.hpp"

namespace {

using namespace weir;

constexpr std::int64_t kMs = 1'000'000;

constexpr std::int64_t kSecond = 1000 * kMs;

/// One second with a sample every 100 us. `late_ms` maps the time in ms to the lateness.
std::optional<bool> behind(const std::function<double(double)>& late_ms, Window window = {0, kSecond}) {
    std::vector<LateSample> samples;
    for (std::int64_t us = 100; us <= 1'000'000; us += 100) {
        samples.push_back({1000 * us, static_cast<std::int64_t>(1e6 * late_ms(static_cast<double>(us) * 1e-3))});
    }
    return falls_behind(samples, window);
}

/// Return the arrivals at a sink that takes 100 items at a time, `items_per_s` of them, until `end_ns`.
ArrivalLog sink_that_gets(double items_per_s, std::int64_t end_ns, std::int64_t delay_ns = 0) {
    ArrivalLog log;
    for (std::uint64_t items = 100;; items += 100) {
        const auto time_ns = delay_ns + static_cast<std::int64_t>(static_cast<double>(items) * 1e9 / items_per_s);
        if (time_ns > end_ns) return log;
        log.add(time_ns, items);
    }
}

std::optional<bool> behind_of(const ArrivalLog& log, double due_items_per_s, Window window) {
    return falls_behind(lateness_of(log.samples(), due_items_per_s, 0, window), window);
}

TEST(Lateness, ASinkThatGetsLessThanIsDueFallsBehindWhereverTheBacklogIs) {
    for (const double items_per_s : {9'500.0, 5'000.0, 100.0}) {
        const Window window{kSecond, 100 * kSecond};
        const ArrivalLog log = sink_that_gets(items_per_s, window.end_ns);
        EXPECT_EQ(behind_of(log, 10e3, window), true) << items_per_s;
        ASSERT_TRUE(arrival_rate(log.samples(), window));
        EXPECT_NEAR(*arrival_rate(log.samples(), window), items_per_s, 1e-3);
    }
}

TEST(Lateness, ASinkThatGetsAllDueItemsKeepsUpHoweverLate) {
    for (const std::int64_t delay_ns : {0 * kMs, 3 * kMs, 700 * kMs}) {
        const Window window{kSecond, 10 * kSecond};
        EXPECT_EQ(behind_of(sink_that_gets(10e3, window.end_ns, delay_ns), 10e3, window), false) << delay_ns;
    }
}

TEST(Lateness, TooShortAWindowIsUndecided) {
    const Window window{0, 20 * kMs};
    EXPECT_EQ(behind_of(sink_that_gets(50e3, window.end_ns), 100e3, window), std::nullopt);
    EXPECT_EQ(behind_of(sink_that_gets(100e3, window.end_ns), 100e3, window), false);
    EXPECT_EQ(arrival_rate(sink_that_gets(50e3, window.end_ns).samples(), {kSecond, 2 * kSecond}), std::nullopt);
}

TEST(Lateness, ArrivalsAreLateFromTheBeginning) {
    const Arrival arrivals[] = {{5 * kMs, 1}, {30 * kMs, 10}, {70 * kMs, 50}, {90 * kMs, 60}};
    const auto late = lateness_of(arrivals, 1e3, 10 * kMs, {5 * kMs, 70 * kMs});
    ASSERT_EQ(late.size(), 2U);
    EXPECT_EQ(late[0].time_ns, 30 * kMs);
    EXPECT_EQ(late[0].late_ns, 10 * kMs);
    EXPECT_EQ(late[1].late_ns, 10 * kMs);
}

TEST(Lateness, ABacklogThatGrowsIsFallingBehind) {
    EXPECT_EQ(behind([](double t) { return 0.3 * t; }), true);
    EXPECT_EQ(behind([](double t) { return 0.02 * t; }), true);  // 2 % overload
}

TEST(Lateness, AConstantDelayIsNot) {
    EXPECT_EQ(behind([](double) { return 0.1; }), false);
    EXPECT_EQ(behind([](double) { return 400.0; }), false);
}

TEST(Lateness, AHiccupThatIsRecoveredIsNot) {
    for (const double at : {50.0, 300.0, 500.0, 650.0, 940.0}) {
        // The sink loses 60 ms at once and catches up within 100 ms.
        EXPECT_EQ(behind([at](double t) { return t < at || t > at + 100 ? 0.1 : 60 * (1 - (t - at) / 100); }), false)
            << at;
    }
}

TEST(Lateness, AHiccupAtTheEndOfAThirdIsNot) {
    // One half of a third is late, the next half a little more: medians move once, not twice.
    EXPECT_NE(behind([](double t) { return t < 400 ? 0.0 : t < 500 ? 100.0 : 0.0; }), true);
    EXPECT_NE(behind([](double t) { return t < 300 ? 0.0 : 60.0; }), true);
}

TEST(Lateness, ABacklogInPartOfTheWindowIsUndecided) {
    for (const double from : {500.0, 600.0}) {
        EXPECT_EQ(behind([from](double t) { return t < from ? 0.1 : 0.3 * (t - from); }), std::nullopt) << from;
    }
    EXPECT_EQ(behind([](double t) { return t < 500 ? 0.0 : 40.0; }), std::nullopt);  // a constant delay
}

TEST(Lateness, TooLongWithoutArrivalsIsUndecided) {
    const Window window{0, 10 * kSecond};
    EXPECT_EQ(behind_of(sink_that_gets(10e3, 10 * kSecond), 10e3, window), false);
    EXPECT_EQ(behind_of(sink_that_gets(10e3, 9 * kSecond), 10e3, window), false);
    EXPECT_EQ(behind_of(sink_that_gets(10e3, 8 * kSecond), 10e3, window), std::nullopt);
}

TEST(Lateness, ItemsInBurstsAreLateByABurstButNotBehind) {
    // Bursts of 200,000 items every 200 ms, and a chain that can handle ten times the rate.
    ArrivalLog log;
    constexpr double kRate = 1e6, kBurst_ns = 200e6;
    for (std::uint64_t burst = 0; burst < 3; ++burst) {
        for (std::uint64_t i = 1; i <= 200; ++i) {
            log.add(static_cast<std::int64_t>(burst) * 200 * kMs + static_cast<std::int64_t>(i) * kMs / 10,
                    burst * 200'000 + i * 1000);
        }
    }
    const Window window{10 * kMs, 410 * kMs};
    const auto late = lateness_of(log.samples(), kRate, 0, window);
    EXPECT_EQ(falls_behind(late, window), true);  // the verdict without the burst length
    EXPECT_NE(falls_behind(late, window, kBurst_ns), true);
    // A backlog that grows by more than a burst counts.
    EXPECT_EQ(falls_behind(lateness_of(sink_that_gets(5e3, 30 * kSecond).samples(), 10e3, 0, {0, 30 * kSecond}),
                           {0, 30 * kSecond}, kBurst_ns),
              true);
}

TEST(Lateness, ADueTimeInAHundredYearsIsNotInThePast) {
    const Arrival arrivals[] = {{kSecond, 1'000'000'000}};
    EXPECT_LT(lateness_of(arrivals, 1e-3, 0, {0, kSecond})[0].late_ns, -kSecond);
    const Pacing slow(1e-3, 1'000'000'000, 0);
    EXPECT_EQ(slow.due_items(kSecond), 1'000'000'000U);
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
    ArrivalLog log;
    constexpr std::int64_t kHour = 3'600'000 * kMs;
    std::uint64_t items = 0;
    for (std::int64_t t = 1; t < kHour; t += 50 * kMs) log.add(t, ++items);
    ASSERT_GE(log.samples().size(), 100U);
    EXPECT_LE(log.samples().size(), 256U);
    EXPECT_LT(log.samples().front().time_ns, kHour / 50);
    EXPECT_GT(log.samples().back().time_ns, kHour - kHour / 50);
    EXPECT_EQ(behind_of(log, 20.5, {0, kHour}), true);
    EXPECT_EQ(behind_of(log, 20.0, {0, kHour}), false);
}

/// Paced if `params` has a rate.
struct Due : weir::testing::Source {
    struct Params {
        double rate = 1e3;
    };
    Params params;
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return static_cast<std::int64_t>(index) * kMs; }
};

/// Passes each item on when it is due.
struct Pace {
    struct Params {
        double rate = 1e3;
    };
    Params params;
    WorkResult work(In<weir::testing::Item>&, Out<weir::testing::Item>&) noexcept { return WorkStatus::done; }
    std::int64_t scheduled_ns(std::uint64_t index) const noexcept { return static_cast<std::int64_t>(index) * kMs; }
};

struct Unpaced : weir::testing::Source {
    struct Params {
        double rate = 1e3;
    };
    Params params;
};

TEST(Lateness, OfferedItemsAndTheirRateFollowFromTheGraph) {
    weir::testing::Wire<> whole(64, 2, 4), other(64), joined(64, 1, 3), none(64);
    Node<Due> source({.name = "source", .out_rates = rates<2>}, {.rate = 1e3}, ins(), outs(whole));
    Node<Due> slow({.name = "slow"}, {.rate = 100}, ins(), outs(other));
    Node<Unpaced> unpaced({.name = "unpaced"}, {}, ins(), outs(none));
    Node<weir::testing::Sink> sink({.name = "sink", .in_rates = rates<4>}, {}, ins(whole), outs());
    Node<weir::testing::Join> join({.name = "join", .in_rates = rates<2, 1>, .out_rates = rates<3>}, {},
                                   ins(whole, other), outs(joined));
    Node<weir::testing::Sink> last({.name = "last"}, {}, ins(joined), outs());
    Node<weir::testing::Sink> idle({.name = "idle"}, {}, ins(none), outs());
    const std::vector<Instance*> tasks{&source, &slow, &unpaced, &sink, &join, &last, &idle};
    const std::vector<std::optional<double>> rates{1e3, 100, std::nullopt, 1e3, 1e3, 1500, std::nullopt};
    const std::vector<OfferedRate> offered = offered_rates(tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) EXPECT_EQ(offered[i].items_per_s, rates[i]) << tasks[i]->spec().name;
    EXPECT_FALSE(offered[3].uneven);
    EXPECT_TRUE(offered[4].uneven);  // one input allows 500 firings per second, the other 100
    EXPECT_TRUE(offered[5].uneven);
    EXPECT_EQ(offered[5].sources, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(offered[3].sources, std::vector<std::size_t>{0});
    EXPECT_EQ(unpaced.offered_items_per_s(), std::nullopt);  // it has a rate, but no schedule
}

TEST(Lateness, APacingBlockOffersItemsFromThere) {
    weir::testing::Wire<> fast(64, 2, 2), first(64, 2, 4), second(64);
    Node<Unpaced> source({.name = "source"}, {}, ins(), outs(fast));
    Node<Pace> pace({.name = "pace", .in_rates = rates<2>, .out_rates = rates<2>}, {.rate = 500}, ins(fast),
                    outs(first));
    Node<Pace> again({.name = "again"}, {.rate = 200}, ins(first), outs(second));
    Node<weir::testing::Sink> beside({.name = "beside"}, {}, ins(fast), outs());
    Node<weir::testing::Sink> between({.name = "between", .in_rates = rates<4>}, {}, ins(first), outs());
    Node<weir::testing::Sink> last({.name = "last"}, {}, ins(second), outs());
    const std::vector<OfferedRate> offered =
        offered_rates(std::vector<Instance*>{&source, &pace, &again, &beside, &between, &last});
    const std::vector<std::optional<double>> rates{std::nullopt, 500, 200, std::nullopt, 500, 200};
    const std::vector<std::vector<std::size_t>> sources{{0}, {1}, {2}, {0}, {1}, {2}};
    for (std::size_t i = 0; i < rates.size(); ++i) {
        EXPECT_EQ(offered[i].items_per_s, rates[i]) << i;
        EXPECT_EQ(offered[i].sources, sources[i]) << i;
    }
}

TEST(Lateness, ANodeRecordsArrivalsIfRequested) {
    weir::testing::Wire<> wire(64);
    Node<weir::testing::Source> source({.name = "source"}, {.items = 40}, ins(), outs(wire));
    Node<weir::testing::Sink> sink({.name = "sink"}, {}, ins(wire), outs());
    weir::testing::start({&source, &sink});
    sink.keep_arrivals();
    const std::int64_t before_ns = monotonic_ns();
    weir::testing::run_dry({&source, &sink});
    ASSERT_EQ(sink.arrivals().size(), 1U);
    EXPECT_EQ(sink.arrivals()[0].items, 40U);
    EXPECT_GE(sink.arrivals()[0].time_ns, before_ns);
    EXPECT_LE(sink.arrivals()[0].time_ns, monotonic_ns());
    EXPECT_TRUE(source.arrivals().empty());
}

}  // namespace
