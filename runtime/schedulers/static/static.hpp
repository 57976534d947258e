// Fixed schedules from planner.py: the generator decides when a block fires and where its items lie.
#pragma once

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

/// Each worker repeats its schedule without checking for items or space within it.
struct Static {
    void run(Run& run, const WorkerSchedules& schedules) const { run_worker_schedules(run, schedules); }
};

}  // namespace weir::schedulers
