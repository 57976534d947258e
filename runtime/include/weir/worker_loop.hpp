// The loop of a worker that owns its tasks: every scheduler that binds blocks to threads is this loop over other
// workers. And the pass over tasks of which it is made, for schedulers with a loop of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/run.hpp"
#include "weir/wait.hpp"

namespace weir {

/// Steps of one task before the next has its turn: many, because a task that goes on has its code and data in the
/// cache; bounded, because its neighbours on this worker must not starve.
inline constexpr int kMostSteps = 64;

/// How long a worker stays with a list of tasks while others wait: so many passes over it, each of so many steps a task.
struct Turns {
    int passes;
    int steps;
    Leave leave = Leave::some;  ///< what linear streams then hold is moved on in passes of its own
};

/// Runs the worker's tasks until all are done or the run stops: in turns, those together that linear streams join, in the plan's
/// order.
void run_bound_worker(Worker& worker) noexcept;

/// How a pass over tasks went.
struct Pass {
    bool moved = false;  ///< something did
    bool settled = true;  ///< nothing can move until something changes that no task of the list writes
    std::int64_t wake_ns = kForever;  ///< the earliest time at which a task asked to be run again
};

/// Lets every task of `live` work until it has little left to move, for at most `steps` steps. Tasks that are over (done, or with an
/// error, which the run is told) leave the list. Allocates nothing.
Pass pass_over(Run& run, std::vector<Task*>& live, int steps) noexcept;

/// Passes over `live`, upstream to downstream, until it is settled or its turns are over. What lies in the linear streams between
/// its tasks is then moved on to the end: nothing waits there while others have their turns.
Pass take_turns(Run& run, std::vector<Task*>& live, Turns turns) noexcept;

}  // namespace weir
