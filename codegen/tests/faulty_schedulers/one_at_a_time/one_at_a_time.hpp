// The fault: a worker that waits for another one's items keeps it from making them.
#pragma once

#include <mutex>

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct OneAtATime {
    void run(Run& run, const WorkerSchedules& schedules) const {
        std::mutex turn;
        run.launch(run.plan().workers, [&](Worker& worker) {
            const std::lock_guard lock(turn);  // schedules that feed each other must run at the same time
            ScheduledWorker at(worker);
            schedules[worker.index](at);
        });
    }
};

}  // namespace weir::schedulers
