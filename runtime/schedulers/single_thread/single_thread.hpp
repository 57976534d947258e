// Everything on one worker, upstream to downstream.
#pragma once

#include "weir/worker_loop.hpp"

namespace weir::schedulers {

/// The plan has one worker with every instance in topological order: each pass moves a chunk from the sources towards the sinks.
struct SingleThread {
    void run(Run& run) const { run.launch(run.plan().workers, run_bound_worker); }
};

}  // namespace weir::schedulers
