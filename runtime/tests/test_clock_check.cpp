#include "weir/clock_check.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weir;

constexpr std::int64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000;

/// Ten seconds in which all clocks advance equally.
ClockSpan ten_seconds() {
    ClockSpan span;
    span.before = {100 * kSecond, 90 * kSecond, 200 * kSecond, 1'700'000'000 * kSecond, "tsc"};
    span.after = {110 * kSecond, 100 * kSecond, 210 * kSecond, 1'700'000'010 * kSecond, "tsc"};
    return span;
}

std::vector<ReasonCode> codes(const ClockSpan& span) {
    std::vector<ReasonCode> found;
    for (const Reason& reason : check_clocks(span)) found.push_back(reason.code);
    return found;
}

using Codes = std::vector<ReasonCode>;

TEST(ClockCheck, ClocksThatAgreeAreTrusted) {
    EXPECT_EQ(codes(ten_seconds()), Codes{});
    ClockSpan steered = ten_seconds();
    steered.after.raw_ns += 5 * kMillisecond;  // 500 ppm, the largest correction of NTP
    steered.after.wall_ns += 5 * kMillisecond;
    EXPECT_EQ(codes(steered), Codes{});
}

TEST(ClockCheck, AJumpOfTheMeasuringClockIsFound) {
    for (const std::int64_t jump : {-20 * kSecond, -kSecond, -20 * kMillisecond, 20 * kMillisecond, kSecond}) {
        ClockSpan span = ten_seconds();
        span.after.monotonic_ns += jump;
        span.after.boot_ns += jump;
        span.after.wall_ns += jump;
        EXPECT_EQ(codes(span), Codes{ReasonCode::E_CLOCK_JUMPED}) << jump;
        EXPECT_EQ(status_of(check_clocks(span)), RunStatus::invalid);
    }
}

TEST(ClockCheck, ASuspendedMachineIsFound) {
    ClockSpan span = ten_seconds();
    span.after.boot_ns += 3600 * kSecond;
    span.after.wall_ns += 3600 * kSecond;
    EXPECT_EQ(codes(span), Codes{ReasonCode::E_SUSPENDED});
    EXPECT_NE(check_clocks(span)[0].message.find("3600 s"), std::string::npos);
}

TEST(ClockCheck, AnotherClockSourceIsFound) {
    ClockSpan span = ten_seconds();
    span.after.source = "hpet";
    EXPECT_EQ(codes(span), Codes{ReasonCode::E_CLOCK_SOURCE});
    EXPECT_NE(check_clocks(span)[0].message.find("from tsc to hpet"), std::string::npos);
    span.before.source.reset();
    span.after.source.reset();
    EXPECT_EQ(codes(span), Codes{});
}

TEST(ClockCheck, AWallClockThatIsSetOnlyWarns) {
    ClockSpan span = ten_seconds();
    span.after.wall_ns -= 3600 * kSecond;
    EXPECT_EQ(codes(span), Codes{ReasonCode::W_WALL_CLOCK_SET});
    EXPECT_EQ(status_of(check_clocks(span)), RunStatus::ok);
}

TEST(ClockCheck, TheClocksOfThisMachineAdvance) {
    const ClockReading before = read_clocks();
    const ClockReading after = read_clocks();
    EXPECT_GE(after.monotonic_ns, before.monotonic_ns);
    EXPECT_GE(after.raw_ns, before.raw_ns);
    EXPECT_GT(before.boot_ns, 0);
    EXPECT_GT(before.wall_ns, 0);
    EXPECT_GT(clock_read_ns(), 0);
    EXPECT_LT(clock_read_ns(), 1e6);
}

}  // namespace
