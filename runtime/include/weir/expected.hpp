// How many items must reach each task: the rule of CONTRACTS section 4, worked out instead of run.
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
std::vector<std::optional<std::uint64_t>> expected_items(std::span<Task* const> tasks, std::uint64_t run_items);

}  // namespace weir
