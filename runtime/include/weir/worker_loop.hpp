// Loop of a worker that owns its tasks, for every scheduler that binds blocks to threads, and the pass over tasks that
// it consists of, for schedulers with their own loop.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/run.hpp"
#include "weir/wait.hpp"

namespace weir {

/// Steps of one task before the next task's turn. Many, because its code and data stay in the cache; but bounded, so
/// that its neighbours on this worker do not starve.
inline constexpr int kMostSteps = 64;

/// Turns of a worker on one list of tasks while other lists wait: passes over the list, and steps per task in a pass.
struct Turns {
    int passes;
    int steps;
    Leave leave = Leave::some;  ///< with `nothing`, extra passes move the items in linear streams on
};

/// Run the worker's tasks until all are done or the run stops. Tasks that linear streams join take turns together, in
/// the plan's order.
void run_bound_worker(Worker& worker) noexcept;

/// Result of a pass over tasks.
struct Pass {
    bool moved = false;  ///< an item moved
    bool settled = true;  ///< nothing can move until a task outside the list changes a stream
    std::int64_t wake_ns = kForever;  ///< earliest time at which a task must run again
};

/// Let every task of `live` work until it has little left to move, for at most `steps` steps. Tasks that are done, or
/// report an error to the run, leave the list. Allocates nothing.
Pass pass_over(Run& run, std::vector<Task*>& live, int steps) noexcept;

/// Pass over `live`, upstream to downstream, until it is settled or its turns are over. Then move on the items in the
/// linear streams between its tasks, so that none waits while other lists have their turns.
Pass take_turns(Run& run, std::vector<Task*>& live, Turns turns) noexcept;

}  // namespace weir
