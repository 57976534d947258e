// A thread of its own for every block; the kernel schedules.
#pragma once

#include "weir/worker_loop.hpp"

namespace weir::schedulers {

/// The plan has one worker an instance, named after it. A block that can do nothing blocks its thread on its streams.
struct ThreadPerBlock {
    void run(Run& run) const { run.launch(run.plan().workers, run_bound_worker); }
};

}  // namespace weir::schedulers
