// The fault: one worker schedule does not run.
#pragma once

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct LeavesOneOut {
    void run(Run& run, const WorkerSchedules& schedules) const {
        run.launch(run.plan().workers, [&schedules](Worker& worker) {
            ScheduledWorker at(worker);
            if (worker.index + 1 < schedules.size()) schedules[worker.index](at);  // must run every one
        });
    }
};

}  // namespace weir::schedulers
