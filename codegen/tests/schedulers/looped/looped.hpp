// What runs a schedule that planner.py made: each worker repeats its schedule.
#pragma once

#include <cstdint>

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct Looped {
    struct Params {
        std::int64_t period_items = 4096;
        std::int64_t passes = 4;
    };
    Params params;  // the planner's, who has made the loops of them

    void run(Run& run, const WorkerSchedules& schedules) const { run_worker_schedules(run, schedules); }
};

}  // namespace weir::schedulers
