// Counts how often a node reads the clock, which is the cost of measuring. This program replaces clock_gettime.
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "hand_driven.hpp"

namespace {
std::uint64_t reads = 0;
}

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    ++reads;
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
}

namespace {

using namespace weir;
using namespace weir::testing;

/// Takes events without reading the clock itself.
struct Silent final : trace::Log {
    Silent() : Log(trace::event_set({})) {}
    std::uint64_t events = 0;
    void write(trace::Event, std::uint32_t, std::uint64_t, std::int64_t) noexcept override { ++events; }
};

/// source -> middle, 16 items per call; probes the middle unless the granularity is 0.
struct Bench {
    Wire<> in{1'024}, out{1'024, 1, 1, StreamKind::ring};
    Node<Source> source{{.name = "source", .chunk_items = 1'024}, {}, ins(), outs(in)};
    Node<Affine> middle;
    Node<Sink> sink{{.name = "sink", .chunk_items = 1'024}, {}, ins(out), outs()};
    Silent log;

    Bench(Metrics metrics, std::uint64_t granularity)
        : middle({.name = "middle", .chunk_items = 16, .probe_granularity = granularity}, {}, ins(in), outs(out)) {
        start({&source, &middle, &sink});
        middle.set_metrics(metrics);
        middle.set_log(&log);
        middle.begin(0);
        source.step();
    }

    std::uint64_t reads_of(int calls) {
        const std::uint64_t before = reads;
        for (int i = 0; i < calls; ++i) EXPECT_EQ(middle.step().status, StepStatus::progress);
        return reads - before;
    }
};

TEST(ClockReads, TheClockOfThisProgramCounts) {
    const std::uint64_t before = reads;
    EXPECT_GT(monotonic_ns(), 0);
    EXPECT_EQ(reads, before + 1);
}

TEST(ClockReads, NoMetricsAndCountersDoNotReadTheClock) {
    EXPECT_EQ(Bench(Metrics::none, 0).reads_of(40), 0U);
    EXPECT_EQ(Bench(Metrics::counters, 0).reads_of(40), 0U);
}

TEST(ClockReads, ProfilingReadsItTwicePerCall) { EXPECT_EQ(Bench(Metrics::profile, 0).reads_of(40), 80U); }

TEST(ClockReads, TheFillOverTimeUsesTheseReads) {
    Bench bench(Metrics::profile, 0);
    bench.out.keep_fill_over_time();
    bench.out.begin(monotonic_ns());
    EXPECT_EQ(bench.reads_of(40), 80U);
    EXPECT_TRUE(bench.out.fill_over_time(0));
}

TEST(ClockReads, AProbeReadsItOnlyInCallsThatMayCrossABoundary) {
    Bench bench(Metrics::none, 160);
    EXPECT_EQ(bench.reads_of(9), 0U);
    EXPECT_EQ(bench.log.events, 0U);
    EXPECT_EQ(bench.reads_of(1), 1U);  // items 145 to 160
    EXPECT_EQ(bench.log.events, 2U);
    EXPECT_EQ(bench.reads_of(9), 0U);
    EXPECT_EQ(bench.reads_of(21), 3U);
}

TEST(ClockReads, AProbeOfAProfiledBlockSharesTheRead) { EXPECT_EQ(Bench(Metrics::profile, 16).reads_of(10), 20U); }

}  // namespace
