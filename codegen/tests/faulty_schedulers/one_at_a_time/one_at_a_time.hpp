// The fault: a worker that waits for another worker's items blocks that worker.
#pragma once

#include <mutex>

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct OneAtATime {
    void run(Run& run, const WorkerSchedules& schedules) const {
        std::mutex turn;
        run.launch(run.plan().workers, [&](Worker& worker) {
            const std::lock_guard lock(turn);  // worker schedules that feed each other must run in parallel
            ScheduledWorker at(worker);
            schedules[worker.index](at);
        });
    }
};

}  // namespace weir::schedulers
