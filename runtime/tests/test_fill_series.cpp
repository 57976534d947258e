#include "weir/fill_series.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "hand_driven.hpp"
#include "idle_task.hpp"

namespace {

using namespace weir;
using weir::testing::IdleTask;
using weir::testing::Wire;

constexpr std::int64_t kBarrier_ns = 1'000'000'007;
constexpr auto kBins = static_cast<std::int64_t>(FillSeries::kBins);

struct Sample {
    std::int64_t at_ns;  ///< since the barrier
    std::uint64_t items, limit;
};

/// Reference of the series: the shortest bins that cover the whole run.
std::optional<FillOverTime> by_definition(const std::vector<Sample>& samples, std::int64_t last_ns) {
    if (samples.empty()) return std::nullopt;
    FillOverTime reported{FillSeries::kFirstBin_ns, {}, {}};
    while (last_ns >= kBins * reported.bin_ns) reported.bin_ns *= 2;
    for (std::int64_t from_ns = 0; from_ns <= samples.back().at_ns; from_ns += reported.bin_ns) {
        std::uint64_t items = 0, limits = 0;
        double most = 0;
        for (const Sample& it : samples) {
            if (it.at_ns < from_ns || it.at_ns >= from_ns + reported.bin_ns) continue;
            items += it.items;
            limits += it.limit;
            most = std::max(most, std::min(1.0, static_cast<double>(it.items) / static_cast<double>(it.limit)));
        }
        const auto share = [limits](double of) { return limits == 0 ? std::nullopt : std::optional(of); };
        reported.mean.push_back(share(std::min(1.0, static_cast<double>(items) / static_cast<double>(limits))));
        reported.max.push_back(share(most));
    }
    return reported;
}

void expect_equal(const std::optional<FillOverTime>& reported, const std::optional<FillOverTime>& wanted) {
    ASSERT_EQ(reported.has_value(), wanted.has_value());
    if (!reported) return;
    EXPECT_EQ(reported->bin_ns, wanted->bin_ns);
    EXPECT_EQ(reported->mean, wanted->mean);
    EXPECT_EQ(reported->max, wanted->max);
}

TEST(FillSeries, AgreesWithTheSamplesHoweverOftenItsBinsAreMerged) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        const auto below = [&random](std::uint64_t n) { return random() % n; };
        const std::uint64_t gap_ns = std::uint64_t{1} << below(24);
        FillSeries series(3);
        series.begin(kBarrier_ns);
        std::vector<std::vector<Sample>> samples(3);
        std::int64_t at_ns = 0;
        for (std::uint64_t i = below(400); i > 0; --i) {
            at_ns += static_cast<std::int64_t>(below(below(20) == 0 ? 40 * gap_ns : gap_ns));
            for (std::size_t reader = 0; reader < 2; ++reader) {  // the third is never sampled
                if (reader == 1 && i > 100) continue;             // the second begins late
                const std::uint64_t limit = 1 + below(1000);
                samples[reader].push_back({at_ns, below(limit + limit / 8 + 1), limit});
                series.add(reader, kBarrier_ns + at_ns, samples[reader].back().items, limit);
            }
        }
        for (std::size_t reader = 0; reader < 3; ++reader)
            expect_equal(series.of(reader), by_definition(samples[reader], at_ns));
    }
}

TEST(FillSeries, EndsOfBinsAreAtTheReportedTimes) {
    FillSeries series(1);
    series.begin(kBarrier_ns);
    const std::int64_t end_ns = kBins * FillSeries::kFirstBin_ns;
    series.add(0, kBarrier_ns, 1, 4);
    series.add(0, kBarrier_ns + end_ns - 1, 3, 4);
    EXPECT_EQ(series.of(0)->bin_ns, FillSeries::kFirstBin_ns);
    EXPECT_EQ(series.of(0)->mean.size(), FillSeries::kBins);
    EXPECT_EQ(series.of(0)->mean.back(), 0.75);
    series.add(0, kBarrier_ns + end_ns, 2, 4);
    const FillOverTime reported = series.of(0).value();
    EXPECT_EQ(reported.bin_ns, 2 * FillSeries::kFirstBin_ns);
    ASSERT_EQ(reported.mean.size(), FillSeries::kBins / 2 + 1);
    EXPECT_EQ(reported.mean.front(), 0.25);
    EXPECT_EQ(reported.mean[1], std::nullopt);
    EXPECT_EQ(reported.mean[FillSeries::kBins / 2 - 1], 0.75);
    EXPECT_EQ(reported.mean.back(), 0.5);
}

TEST(FillSeries, HasABoundedNumberOfSamplesHoweverLongTheRun) {
    FillSeries series(1);
    EXPECT_FALSE(series.is_due(kBarrier_ns));  // no begin so far
    series.begin(kBarrier_ns);
    EXPECT_FALSE(series.is_due(0));  // a writer that was never called
    std::int64_t taken = 0, now_ns = kBarrier_ns;
    for (const std::int64_t end_ns = kBarrier_ns + (FillSeries::kFirstBin_ns * kBins << 12U); now_ns < end_ns;
         now_ns += 50) {
        if (!series.is_due(now_ns)) continue;
        series.add(0, now_ns, 1, 2);
        ++taken;
    }
    const FillOverTime reported = series.of(0).value();
    EXPECT_EQ(reported.bin_ns, FillSeries::kFirstBin_ns << 12U);
    EXPECT_LE(taken, FillSeries::kSamplesABin * (kBins + 12 * kBins / 2));
    EXPECT_GE(taken, FillSeries::kSamplesABin * (kBins + 12 * kBins / 2) / 2);
    EXPECT_EQ(reported.mean, std::vector<std::optional<double>>(FillSeries::kBins, 0.5));
}

TEST(FillSeries, OfARingIsPerReaderOnItsWritersClock) {
    struct Timed : IdleTask {
        void leave(std::int64_t now_ns) { left_ns_ = now_ns; }
    } task;
    Wire<> wire(64, 2, 1, StreamKind::ring);
    wire.attach_writer(task, 1);
    auto& quick = wire.attach_reader(task, 1);
    auto& slow = wire.attach_reader(task, 1);
    wire.begin(kBarrier_ns);
    wire.produce(4);
    wire.sample_fill();
    EXPECT_FALSE(wire.fill_over_time(0));  // no series is kept
    wire.keep_fill_over_time();
    wire.begin(kBarrier_ns);
    const auto sample_at = [&](std::int64_t ns) {
        task.leave(kBarrier_ns + ns);
        wire.sample_fill();
    };
    wire.consume(quick, 3);
    sample_at(0);
    wire.consume(slow, 4);
    sample_at(FillSeries::kFirstBin_ns / FillSeries::kSamplesABin - 1);  // too soon
    wire.detach(quick);
    sample_at(3 * FillSeries::kFirstBin_ns);
    const double capacity = static_cast<double>(wire.capacity());
    const std::vector<std::optional<double>> of_quick{1 / capacity},
        of_slow{4 / capacity, std::nullopt, std::nullopt, 0.0};
    EXPECT_EQ(wire.fill_over_time(0)->mean, of_quick);
    EXPECT_EQ(wire.fill_over_time(1)->mean, of_slow);
    EXPECT_EQ(wire.fill_over_time(1)->max, of_slow);
}

}  // namespace
