// Whether the clocks of the machine can be trusted over a run: all of them read before and after, and compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/reasons.hpp"

namespace weir {

/// The clocks at one moment, nanoseconds.
struct ClockReading {
    std::int64_t monotonic_ns = 0;        ///< CLOCK_MONOTONIC: of every time that is measured
    std::int64_t raw_ns = 0;              ///< CLOCK_MONOTONIC_RAW: the hardware's, that nobody corrects
    std::int64_t boot_ns = 0;             ///< CLOCK_BOOTTIME: goes on while the machine is suspended
    std::int64_t wall_ns = 0;             ///< CLOCK_REALTIME
    std::optional<std::string> source;    ///< the kernel's clock source
};

/// Of this machine, now. Tests hand in another one.
using ClockReader = ClockReading (*)();
ClockReading read_clocks();

struct ClockSpan {
    ClockReading before, after;

    std::int64_t monotonic_ns() const { return after.monotonic_ns - before.monotonic_ns; }
    std::int64_t raw_ns() const { return after.raw_ns - before.raw_ns; }
    std::int64_t boot_ns() const { return after.boot_ns - before.boot_ns; }
    std::int64_t wall_ns() const { return after.wall_ns - before.wall_ns; }
};

/// What speaks against the times measured in between; empty where nothing does.
std::vector<Reason> check_clocks(const ClockSpan& span);

/// What one reading of CLOCK_MONOTONIC costs here, ns: the median over batches. Takes a tenth of a millisecond.
double clock_read_ns();

}  // namespace weir
