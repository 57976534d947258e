// Scheduler as the tests use it: facts of its descriptor, and a function that runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "weir/run.hpp"

namespace weir::testing {

inline constexpr WaitPolicy kEveryWait[] = {WaitPolicy::park, WaitPolicy::yield, WaitPolicy::spin};

/// A scheduler that takes every graph.
struct SchedulerRow {
    std::string_view id;
    std::string_view workers;  ///< one, per_block, chosen
    std::string_view jobs;     ///< instance or list: what moves between workers; empty: nothing moves
    /// `parameters`: 0 selects the defaults; other values seed random parameters.
    void (*run)(Run&, std::uint64_t parameters);
    std::span<const WaitPolicy> waits = kEveryWait;
    std::size_t max_workers = 512;
};

}  // namespace weir::testing
