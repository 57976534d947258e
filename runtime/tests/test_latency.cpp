#include "weir/latency.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace {

using namespace weir;
using trace::Event;
using trace::Record;

Record tx(std::uint32_t node, std::uint64_t k, std::int64_t time_ns, std::int64_t since_ns = 0) {
    return {time_ns, k, since_ns, node, Event::tx};
}
Record rx(std::uint32_t node, std::uint64_t k, std::int64_t time_ns, std::int64_t entry_ns = 0) {
    return {time_ns, k, entry_ns, node, Event::rx};
}

Latency measure(const std::vector<std::vector<Record>>& threads, const std::vector<LatencyProbe>& probes,
                const std::vector<HopProbe>& hops = {}, const std::optional<Window>& window = Window{}) {
    std::vector<std::span<const Record>> spans(threads.begin(), threads.end());
    return measure_latency(spans, probes, hops, window);
}

/// The definition, word for word: the least value with at least a share p of all values at or below it.
std::int64_t by_counting(const std::vector<std::int64_t>& values, double p) {
    std::int64_t best = *std::max_element(values.begin(), values.end());
    for (const std::int64_t candidate : std::set(values.begin(), values.end())) {
        const auto below = std::count_if(values.begin(), values.end(), [&](std::int64_t v) { return v <= candidate; });
        const double share = static_cast<double>(below) / static_cast<double>(values.size());
        if (share >= p - 1e-12) best = std::min(best, candidate);
    }
    return best;
}

TEST(LatencyStatistics, AgreeWithCounting) {
    std::mt19937_64 random(7);
    for (const std::size_t n : {1U, 19U, 20U, 21U, 199U, 200U, 201U, 999U, 1000U, 1001U, 9'999U, 10'000U}) {
        std::vector<std::int64_t> values(n);
        for (auto& value : values) value = static_cast<std::int64_t>(random() % 500);
        std::vector<std::int64_t> sorted = values;
        const LatencyStatistics s = latency_statistics(sorted, 4);
        EXPECT_EQ(s.count, n);
        EXPECT_EQ(s.lost, 4U);
        // A percentile p has at least 10 / (1 - p) samples, or for the lower ones 10 / p.
        for (const auto& [value, p, least] : {std::tuple{s.p5_ns, 0.05, 200U},
                                              {s.p50_ns, 0.50, 20U},
                                              {s.p95_ns, 0.95, 200U},
                                              {s.p99_ns, 0.99, 1'000U},
                                              {s.p999_ns, 0.999, 10'000U}}) {
            ASSERT_EQ(value.has_value(), n >= least) << n << " samples, " << p;
            EXPECT_EQ(value.value_or(0), value ? by_counting(values, p) : 0) << n;
        }
        EXPECT_EQ(s.max_ns, *std::max_element(values.begin(), values.end()));
        double sum = 0;
        for (const auto value : values) sum += static_cast<double>(value);
        EXPECT_NEAR(s.mean_ns, sum / static_cast<double>(n), 1e-9);
    }
}

TEST(Latency, MatchesBoundaryWithBoundaryAcrossThreads) {
    const Latency l = measure(
        {{tx(0, 1, 100), tx(5, 1, 900), tx(0, 2, 200), tx(0, 3, 300)}, {rx(1, 1, 110), rx(1, 2, 230), rx(6, 1, 1000)}},
        {{"a", "b", 0, 0, 1, 3}, {"c", "d", 1, 5, 6, 1}});
    ASSERT_EQ(l.pairs.size(), 2U);
    EXPECT_EQ(l.pairs[0].statistics.count, 2U);
    EXPECT_EQ(l.pairs[0].statistics.lost, 1U);
    EXPECT_EQ(l.pairs[0].statistics.mean_ns, 20.0);
    EXPECT_EQ(l.pairs[0].statistics.max_ns, 30);
    EXPECT_EQ(l.pairs[1].statistics.max_ns, 100);
    EXPECT_EQ(l.total.count, 3U);
    EXPECT_EQ(l.total.lost, 1U);
    EXPECT_FALSE(l.negative);
    EXPECT_EQ(latency_csv(l),
              "source,sink,pipe,k,sent_ns,received_ns\na,b,0,1,100,110\na,b,0,2,200,230\nc,d,1,1,900,1000\n");
}

TEST(Latency, ATxBeyondTheHeadIsLeftOut) {
    const Latency l =
        measure({{tx(0, 1, 1), tx(0, 2, 2), tx(0, 3, 3), rx(1, 1, 5), rx(1, 2, 7)}}, {{"a", "b", -1, 0, 1, 2}});
    EXPECT_EQ(l.total.count, 2U);
    EXPECT_EQ(l.total.lost, 0U);
    EXPECT_NE(latency_csv(l).find("a,b,,1,1,5"), std::string::npos);
}

TEST(Latency, APacedSourceIsMeasuredFromWhenTheItemWasDue) {
    const Latency l = measure({{tx(0, 1, 500, 100), rx(1, 1, 600)}}, {{"a", "b", -1, 0, 1, 1}});
    EXPECT_EQ(l.total.max_ns, 500);
}

TEST(Latency, ReceivedBeforeSentIsNoticed) {
    EXPECT_TRUE(measure({{tx(0, 1, 500), rx(1, 1, 400)}}, {{"a", "b", -1, 0, 1, 1}}).negative);
}

TEST(Hops, AddUpToTheLatencyOfTheirChain) {
    std::mt19937_64 random(11);
    std::vector<Record> records;
    std::int64_t sum = 0;
    for (std::uint64_t k = 1; k <= 100; ++k) {
        std::int64_t now = static_cast<std::int64_t>(1000 * k);
        const std::int64_t start = now;
        const auto later = [&] { return now += static_cast<std::int64_t>(random() % 5000); };
        records.push_back(tx(0, k, now));
        const std::int64_t first = later();
        records.push_back(tx(1, k, later()));
        records.push_back(rx(1, k, now + 3, first));
        const std::int64_t last = later();
        records.push_back(rx(2, k, later(), last));
        sum += now - start;
    }
    const Latency l = measure({records}, {{"a", "c", -1, 0, 2, 100}},
                              {{"a", "b", -1, 0, 1, false, 100, {2}}, {"b", "c", -1, 1, 2, true, 100, {2}}});
    ASSERT_EQ(l.hops.size(), 2U);
    double parts = 0;
    for (const LatencyHop& hop : l.hops) {
        EXPECT_EQ(hop.waiting.count, 100U);
        EXPECT_EQ(hop.work.lost, 0U);
        parts += hop.waiting.mean_ns + hop.work.mean_ns;
    }
    EXPECT_NEAR(parts, l.total.mean_ns, 1e-6);
    EXPECT_DOUBLE_EQ(l.total.mean_ns, static_cast<double>(sum) / 100);
    EXPECT_FALSE(l.negative);
}

TEST(Hops, WaitFromWhenThePacedItemWasDueToTheEntryOfWork) {
    const Latency l =
        measure({{tx(0, 1, 500, 100), tx(1, 1, 900), rx(1, 1, 950, 700)}}, {}, {{"a", "b", -1, 0, 1, false, 2, {1}}});
    EXPECT_EQ(l.hops[0].waiting.max_ns, 600);
    EXPECT_EQ(l.hops[0].work.max_ns, 200);
    EXPECT_EQ(l.hops[0].waiting.lost, 1U);
}

TEST(Hops, ABlockThatLookedAheadDidNotWorkBackwards) {
    const Latency l =
        measure({{tx(0, 1, 100), tx(1, 1, 300), rx(1, 1, 500, 400)}}, {}, {{"a", "b", -1, 0, 1, false, 1, {1}}});
    EXPECT_EQ(l.hops[0].waiting.max_ns, 200);
    EXPECT_EQ(l.hops[0].work.max_ns, 0);
    EXPECT_FALSE(l.negative);
}

TEST(Hops, EnteredBeforeItWasSentIsNoticed) {
    EXPECT_TRUE(measure({{tx(0, 1, 500), tx(1, 1, 900), rx(1, 1, 950, 400)}}, {}, {{"a", "b", -1, 0, 1, false, 1, {1}}})
                    .negative);
}

TEST(Latency, AllLostWithoutEvents) {
    const Latency l = measure({}, {{"a", "b", -1, 0, 1, 1'000'000'000'000}});
    EXPECT_EQ(l.total.count, 0U);
    EXPECT_EQ(l.total.lost, 1'000'000'000'000U);
}

TEST(Latency, OneSourceWithTwoSinks) {
    const Latency l =
        measure({{tx(0, 1, 10), rx(1, 1, 15), rx(2, 1, 30)}}, {{"a", "b", -1, 0, 1, 1}, {"a", "c", -1, 0, 2, 1}});
    EXPECT_EQ(l.pairs[0].statistics.max_ns, 5);
    EXPECT_EQ(l.pairs[1].statistics.max_ns, 20);
}

TEST(Window, OnlyWhatASinkReceivesInItCountsAndWhatIsLostIsOfTheWholeRun) {
    // Boundary 1 ends the warm-up, 2 and 3 are within, 4 comes after another sink's end; 5 is lost.
    const std::vector<Record> records{tx(0, 1, 10),  rx(1, 1, 100), tx(0, 2, 50),  rx(1, 2, 101), tx(0, 3, 160),
                                      rx(1, 3, 200), tx(0, 4, 190), rx(1, 4, 201), tx(0, 5, 195)};
    const LatencyProbe probe{"a", "b", -1, 0, 1, 5};
    const Latency l = measure({records}, {probe}, {}, Window{100, 200});
    EXPECT_EQ(l.total.count, 2U);
    EXPECT_EQ(l.total.mean_ns, (51 + 40) / 2.0);
    EXPECT_EQ(l.total.max_ns, 51);
    EXPECT_EQ(l.total.lost, 1U);
    EXPECT_EQ(l.pairs[0].samples.size(), 4U);
    const Latency none = measure({records}, {probe}, {}, std::nullopt);
    EXPECT_EQ(none.total.count, 0U);
    EXPECT_EQ(none.total.lost, 1U);
}

TEST(Deadline, WhoMeetsItExactlyIsInTimeAndWhatIsLostFailed) {
    const std::vector<Record> events{tx(0, 1, 5, 0),     rx(1, 1, 105), tx(0, 2, 10, 0), rx(1, 2, 111),
                                     tx(0, 3, 250, 200), rx(1, 3, 301), tx(0, 4, 400)};
    const std::span<const Record> thread(events);
    const std::vector<LatencyProbe> probes{{"source", "sink", -1, 0, 1, 4}};
    const auto found = [&](std::optional<Window> window, std::optional<std::int64_t> deadline_ns) {
        return measure_latency({&thread, 1}, probes, {}, window, deadline_ns);
    };
    const Latency whole = found(Window{}, 100);
    ASSERT_TRUE(whole.response);
    EXPECT_EQ(whole.pairs[0].late, 2U);  // 101, and 101 from when it was due
    EXPECT_EQ(whole.response->answered, 3U);
    EXPECT_EQ(whole.response->late, 2U);
    EXPECT_EQ(whole.response->lost, 1U);
    EXPECT_EQ(whole.response->failure_ratio(), 0.75);
    EXPECT_EQ(found(Window{105, 111}, 100).response->late, 1U);
    EXPECT_EQ(found(std::nullopt, 100).response->failure_ratio(), 1.0);
    EXPECT_FALSE(found(Window{}, std::nullopt).response);
    EXPECT_EQ((Response{100, 0, 0, 0}.failure_ratio()), std::nullopt);
}

TEST(Window, AHopCountsTheBoundariesThatASinkBehindItReceivesInTheWindow) {
    // Two sinks, of which one gets boundary 1 before the window and the other one in it.
    const std::vector<Record> records{tx(0, 1, 10),      tx(1, 1, 30),     rx(1, 1, 31, 20), rx(2, 1, 60, 50),
                                      rx(3, 1, 110, 70), tx(0, 2, 90),     tx(1, 2, 95),     rx(1, 2, 96, 92),
                                      rx(2, 2, 150, 99), rx(3, 2, 160, 99)};
    const Latency l =
        measure({records}, {{"a", "c", -1, 0, 2, 2}, {"a", "d", -1, 0, 3, 2}},
                {{"a", "b", -1, 0, 1, false, 2, {2, 3}}, {"b", "c", -1, 1, 2, true, 2, {2}}}, Window{100, 200});
    EXPECT_EQ(l.pairs[0].statistics.count, 1U);
    EXPECT_EQ(l.pairs[1].statistics.count, 2U);
    EXPECT_EQ(l.hops[0].waiting.count, 2U);
    EXPECT_EQ(l.hops[1].waiting.count, 1U);
    EXPECT_EQ(l.hops[1].waiting.max_ns, 4);
    EXPECT_EQ(l.hops[0].waiting.lost + l.hops[1].waiting.lost, 0U);
}

TEST(Window, AnEndBeforeItsStartIsNoticedInTheWarmUpToo) {
    EXPECT_TRUE(measure({{tx(0, 1, 50), rx(1, 1, 40)}}, {{"a", "b", -1, 0, 1, 1}}, {}, Window{100, 200}).negative);
}

}  // namespace
