// The fault: two workers run the same worker schedule from the start.
#pragma once

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct HelpsANeighbour {
    void run(Run& run, const WorkerSchedules& schedules) const {
        run.launch(run.plan().workers, [&schedules](Worker& worker) {
            ScheduledWorker at(worker);
            for (const auto& schedule : schedules) schedule(at);  // all but one belong to other workers
        });
    }
};

}  // namespace weir::schedulers
