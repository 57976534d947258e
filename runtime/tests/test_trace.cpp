#include "weir/trace.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "weir/clock.hpp"

namespace {

using namespace weir;
using namespace weir::trace;
using namespace std::string_view_literals;

TEST(MemoryTracer, KeepsEveryEventOfEveryThread) {
    std::string note;
    const auto tracer = make_tracer(TraceBackend::memory, {}, note);
    EXPECT_EQ(note, "");
    EXPECT_EQ(tracer->backend(), TraceBackend::memory);
    constexpr std::uint64_t kEvents = 20'000;
    const std::int64_t before = monotonic_ns();
    std::vector<std::thread> threads;
    for (std::uint32_t id = 0; id < 3; ++id) {
        threads.emplace_back([&tracer, id] {
            Log& log = tracer->thread_log(kEvents);
            for (std::uint64_t k = 1; k <= kEvents; ++k) log.write(Event::tx, id, k, static_cast<std::int64_t>(k) + 5);
        });
    }
    while (tracer->events() < kEvents) std::this_thread::yield();  // the watchdog, too, reads during the run
    for (std::thread& thread : threads) thread.join();
    const std::int64_t after = monotonic_ns();

    EXPECT_EQ(tracer->events(), 3 * kEvents);
    EXPECT_EQ(tracer->discarded(), 0U);
    const auto logs = tracer->records();
    ASSERT_EQ(logs.size(), 3U);
    for (const auto& records : logs) {
        ASSERT_EQ(records.size(), kEvents);
        std::int64_t last = before;
        for (std::size_t i = 0; i < records.size(); ++i) {
            ASSERT_EQ(records[i].value, i + 1);
            ASSERT_EQ(records[i].id, records[0].id);
            ASSERT_EQ(records[i].since_ns, static_cast<std::int64_t>(i) + 6);
            ASSERT_GE(records[i].time_ns, last);
            last = records[i].time_ns;
        }
        EXPECT_LE(last, after);
    }
}

TEST(MemoryTracer, AFullLogCountsWhatItDiscards) {
    std::string note;
    const auto tracer = make_tracer(TraceBackend::memory, {}, note);
    Log& log = tracer->thread_log(4);
    for (std::uint64_t k = 1; k <= 10; ++k) log.write(Event::rx, 0, k, 0);
    EXPECT_EQ(tracer->events(), 4U);
    EXPECT_EQ(tracer->discarded(), 6U);
    EXPECT_EQ(tracer->records()[0].back().value, 4U);
}

TEST(MemoryTracer, RecordsOnlyRequestedEvents) {
    std::string note;
    const auto plain = make_tracer(TraceBackend::memory, {}, note);
    Log& log = plain->thread_log(10);
    EXPECT_TRUE(log.wants(Event::tx) && log.wants(Event::rx));
    for (const Event event : {Event::work_entry, Event::work_exit, Event::park, Event::unpark, Event::steal}) {
        EXPECT_FALSE(log.wants(event));
        log.write(event, 0, 0, 0);
    }
    EXPECT_EQ(plain->events() + plain->discarded(), 0U);

    const std::vector<std::string_view> events{"work"sv, "park"sv, "steal"sv};
    const auto all = make_tracer(TraceBackend::memory, events, note);
    Log& full = all->thread_log(10);
    full.write(Event::work_exit, 3, 17, 0);
    full.write(Event::park, 1, 0, 0);
    full.write(Event::steal, 1, 3, 0);
    EXPECT_EQ(all->events(), 3U);
}

TEST(OffTracer, RequestsNoEvents) {
    std::string note;
    const auto tracer = make_tracer(TraceBackend::off, {}, note);
    Log& log = tracer->thread_log(10);
    EXPECT_FALSE(log.wants(Event::tx));
    log.write(Event::tx, 0, 1, 0);
    EXPECT_EQ(tracer->events(), 0U);
    EXPECT_TRUE(tracer->records().empty());
}

TEST(LttngTracer, IsAvailableWithoutEnabledTracepoints) {
    std::string note;
    const auto tracer = make_tracer(TraceBackend::not_enabled, {}, note);
    if (!lttng_compiled_in()) {
        EXPECT_EQ(tracer->backend(), TraceBackend::off);
        EXPECT_NE(note.find("without lttng-ust"), std::string::npos) << note;
        return;
    }
    EXPECT_EQ(tracer->backend(), TraceBackend::not_enabled);
    EXPECT_EQ(note, "");
    // The call is made as in a recorded run; another user's session may record weir:* on this machine.
    Log& log = tracer->thread_log(0);
    EXPECT_TRUE(log.wants(Event::tx));
    log.write(Event::tx, 0, 1, 0);
    EXPECT_LE(tracer->events(), 1U);
}

TEST(OffTracer, ReportsThatItsProgramHasNoProbes) {
    std::string note;
    EXPECT_EQ(make_tracer(TraceBackend::compiled_out, {}, note)->backend(), TraceBackend::compiled_out);
    EXPECT_TRUE(has_probes(TraceBackend::not_enabled));
    EXPECT_FALSE(has_probes(TraceBackend::compiled_out) || has_probes(TraceBackend::off));
}

TEST(LttngTracer, FallsBackToMemoryWithAReason) {
    std::string note;
    const auto tracer = make_tracer(TraceBackend::lttng, {}, note);
    // Another user's session may record weir:* on this machine; then tracing works and there is no fallback.
    if (tracer->backend() == TraceBackend::lttng) GTEST_SKIP() << "an LTTng session records this process";
    EXPECT_EQ(tracer->backend(), TraceBackend::memory);
    EXPECT_NE(note.find(lttng_compiled_in() ? "session" : "without lttng-ust"), std::string::npos) << note;
}

}  // namespace
