// The loop of a worker that owns its tasks: every scheduler that binds blocks to threads is this loop over other workers.
#pragma once

#include "weir/run.hpp"

namespace weir {

/// Runs the worker's tasks, in their order, until all are done or the run stops.
void run_bound_worker(Worker& worker) noexcept;

}  // namespace weir
