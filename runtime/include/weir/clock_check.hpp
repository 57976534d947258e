// Compares the machine's clocks before and after a run, to see whether they can be trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/reasons.hpp"

namespace weir {

/// The clocks at one moment, nanoseconds.
struct ClockReading {
    std::int64_t monotonic_ns = 0;        ///< CLOCK_MONOTONIC, used for all measurements
    std::int64_t raw_ns = 0;              ///< CLOCK_MONOTONIC_RAW: the hardware clock without NTP corrections
    std::int64_t boot_ns = 0;             ///< CLOCK_BOOTTIME: continues while the machine is suspended
    std::int64_t wall_ns = 0;             ///< CLOCK_REALTIME
    std::optional<std::string> source;    ///< Linux's clock source
};

/// Read the clocks of this machine. Tests pass other readings.
using ClockReader = ClockReading (*)();
ClockReading read_clocks();

struct ClockSpan {
    ClockReading before, after;

    std::int64_t monotonic_ns() const { return after.monotonic_ns - before.monotonic_ns; }
    std::int64_t raw_ns() const { return after.raw_ns - before.raw_ns; }
    std::int64_t boot_ns() const { return after.boot_ns - before.boot_ns; }
    std::int64_t wall_ns() const { return after.wall_ns - before.wall_ns; }
};

/// Return the problems with times measured between the two readings; empty if there are none.
std::vector<Reason> check_clocks(const ClockSpan& span);

/// Return the cost of one read of CLOCK_MONOTONIC in ns: the median over batches. Takes 0.1 ms.
double clock_read_ns();

}  // namespace weir
