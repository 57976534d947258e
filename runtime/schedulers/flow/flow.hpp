// Blocks bound to chosen workers, each of which runs its own upstream to downstream.
#pragma once

#include "weir/worker_loop.hpp"

namespace weir::schedulers {

/// The plan's placement as it is: nothing migrates, so a chunk that stays on a worker stays in its cache.
struct Flow {
    void run(Run& run) const { run.launch(run.plan().workers, run_bound_worker); }
};

}  // namespace weir::schedulers
