// Computes how many items must reach each task, and at what rate, from the rule for the end of a stream
// (docs/architecture.md, section 9).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/task.hpp"

namespace weir {

/// Return the expected items of each task, in the order of `tasks` (topological), if everything downstream takes all
/// items. They are the items consumed at the first input or, for a source, emitted at the first output. Absent:
/// unbounded. The number is exact for sinks. A task upstream of a `head` or a join may move more, or stop earlier. Call
/// this after `start`, when blocks know their totals.
std::vector<std::optional<std::uint64_t>> expected_items(std::span<Instance* const> tasks, std::uint64_t run_items);

/// Return how often each instance fires under a schedule that counts items instead of detecting the end of streams. A
/// block upstream of a `head` or a join fires as often as the blocks downstream need. With `all`, it fires as often as
/// its own inputs and bounds allow, if they are bounded. The tail of an input is the items that upstream could produce
/// but no firing consumes.
std::vector<Instance::Quota> quotas_of(std::span<Instance* const> instances, std::uint64_t run_items, bool all);

/// Rate at a task's first input, or at the first output of a source or pacing block, if all pacing blocks keep their
/// schedule.
struct OfferedRate {
    /// Absent: a source upstream runs flat out and nothing paces its items. At a join, the fastest input determines the
    /// rate; a join that cannot sustain it holds a source back.
    std::optional<double> items_per_s;
    double burst_ns = 0;  ///< longest time between two bursts, here or upstream
    bool uneven =
        false;  ///< inputs of a join, here or upstream, are due at different rates, so no rate keeps up with all of them
    /// Indices in `tasks` of the sources and pacing blocks from which the items come (the last ones on each path),
    /// ascending.
    std::vector<std::size_t> sources;
};

/// Return the offered rate of each task, in the order of `tasks`.
std::vector<OfferedRate> offered_rates(std::span<Instance* const> tasks);

}  // namespace weir
