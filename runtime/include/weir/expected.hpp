// How many items must reach each task, and at what rate: computed from the rule for the end of a stream
// (docs/architecture.md, section 9).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/task.hpp"

namespace weir {

/// By task, in the order of `tasks` (topological): the items it consumes at its first input, or, for a source, emits at its
/// first output, when everything downstream takes all that it is sent. No value: no bound. Exact for sinks; a task above a `head`
/// or a join may have moved more, or been stopped earlier. After `start`, when blocks know their totals.
std::vector<std::optional<std::uint64_t>> expected_items(std::span<Instance* const> tasks, std::uint64_t run_items);

/// By instance, likewise: how often each fires where streams are counted and their ends not looked at. A block above a `head` or
/// a join fires as often as those below it need; where `all` is made, as often as its own inputs and bounds allow, as long as they
/// do have an end. An input's tail is what its upstream could have made and no firing takes.
std::vector<Instance::Quota> quotas_of(std::span<Instance* const> instances, std::uint64_t run_items, bool all);

/// What comes to a task's first input, or leaves the first output of a source or of a block that paces, when all that pace keep
/// to their schedule.
struct Offered {
    /// Absent: a source upstream runs flat out, and nothing paces what it gives. A join has what its fastest input asks of it: who cannot take that keeps
    /// a source back.
    std::optional<double> items_per_s;
    double burst_ns = 0;  ///< the longest time from one burst to the next, there or upstream
    bool uneven = false;  ///< a join there or upstream is due at different rates: it can keep up with none
    /// It comes from these sources and blocks that pace, the last ones on the way: their places in `tasks`, in order.
    std::vector<std::size_t> sources;
};

/// By task, likewise.
std::vector<Offered> offered_rates(std::span<Instance* const> tasks);

}  // namespace weir
