#include "weir/clock_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <time.h>

#include "weir/clock.hpp"
#include "weir/text.hpp"

namespace weir {

namespace {

// The clocks are read one after the other, so a difference of a millisecond means nothing.
constexpr double kSlack_ns = 1e6;
// NTP steers CLOCK_MONOTONIC by at most 500 ppm. A larger deviation makes every time of the run wrong by as much.
constexpr double kMonotonicRate = 1e-3;
// The wall clock follows CLOCK_MONOTONIC except when it is set.
constexpr double kWallSlack_ns = 10e6;

std::int64_t read(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

std::string seconds(std::int64_t ns) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g s", static_cast<double>(ns) * 1e-9);
    return text.data();
}

bool apart(std::int64_t a_ns, std::int64_t b_ns, double slack_ns, double rate) {
    const auto a = static_cast<double>(a_ns), b = static_cast<double>(b_ns);
    return std::abs(a - b) > slack_ns + rate * std::abs(b);
}

}  // namespace

ClockReading read_clocks() {
    ClockReading now;
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (std::string line; std::getline(file, line)) now.source = line;
    // A thread that loses its CPU between two reads looks like a suspended machine, so then all clocks are read again.
    constexpr int kAttempts = 10;
    constexpr std::int64_t kTogether_ns = 100'000;
    for (int i = 0; i < kAttempts; ++i) {
        now.monotonic_ns = read(CLOCK_MONOTONIC);
        now.raw_ns = read(CLOCK_MONOTONIC_RAW);
        now.boot_ns = read(CLOCK_BOOTTIME);
        now.wall_ns = read(CLOCK_REALTIME);
        if (read(CLOCK_MONOTONIC) - now.monotonic_ns <= kTogether_ns) break;
    }
    return now;
}

std::vector<Reason> check_clocks(const ClockSpan& span) {
    std::vector<Reason> reasons;
    const std::int64_t monotonic = span.monotonic_ns();
    if (monotonic < 0) {
        reasons.push_back({ReasonCode::E_CLOCK_JUMPED,
                           concat({"CLOCK_MONOTONIC went back by ", seconds(-monotonic), " during the run"})});
    } else if (apart(monotonic, span.raw_ns(), kSlack_ns, kMonotonicRate)) {
        reasons.push_back(
            {ReasonCode::E_CLOCK_JUMPED,
             concat({"CLOCK_MONOTONIC advanced by ", seconds(monotonic), " during the run but CLOCK_MONOTONIC_RAW by ",
                     seconds(span.raw_ns()), ", so the times of this run are wrong"})});
    }
    if (const std::int64_t asleep = span.boot_ns() - monotonic; apart(asleep, 0, kSlack_ns, 0)) {
        reasons.push_back(
            {ReasonCode::E_SUSPENDED, concat({"the machine was suspended for ", seconds(asleep), " during the run"})});
    }
    if (span.before.source != span.after.source) {
        reasons.push_back({ReasonCode::E_CLOCK_SOURCE,
                           concat({"Linux changed its clock source from ", span.before.source.value_or("unknown"),
                                   " to ", span.after.source.value_or("unknown"),
                                   " during the run, because it found the first unreliable"})});
    }
    if (apart(span.wall_ns(), span.boot_ns(), kWallSlack_ns, kMonotonicRate)) {
        reasons.push_back(
            {ReasonCode::W_WALL_CLOCK_SET,
             concat({"the wall clock was set by ", seconds(span.wall_ns() - span.boot_ns()),
                     " during the run. This affects the name and the date of the run, not its durations"})});
    }
    return reasons;
}

double clock_read_ns() {
    constexpr int kReads = 100;
    std::array<double, 31> batches{};
    for (double& batch : batches) {
        const std::int64_t start = monotonic_ns();
        std::int64_t last = start;
        for (int i = 0; i < kReads; ++i) last = monotonic_ns();
        batch = static_cast<double>(last - start) / kReads;
    }
    std::nth_element(batches.begin(), batches.begin() + batches.size() / 2, batches.end());
    return batches[batches.size() / 2];
}

}  // namespace weir
