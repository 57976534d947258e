// The fault is in planner.py.
#pragma once

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct FollowsASet {
    void run(Run& run, const WorkerSchedules& schedules) const { run_worker_schedules(run, schedules); }
};

}  // namespace weir::schedulers
