// Scheduler that binds blocks to workers; each worker runs its blocks upstream to downstream.
#pragma once

#include "weir/worker_loop.hpp"

namespace weir::schedulers {

/// Uses the plan's placement. Blocks do not migrate, so a chunk stays in the cache of its worker.
struct Flow {
    void run(Run& run) const { run.launch(run.plan().workers, run_bound_worker); }
};

}  // namespace weir::schedulers
