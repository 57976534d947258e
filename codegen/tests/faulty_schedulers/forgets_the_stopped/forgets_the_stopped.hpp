// The fault: the run waits forever for stopped workers.
#pragma once

#include <latch>

#include "weir/worker_schedule.hpp"

namespace weir::schedulers {

struct ForgetsTheStopped {
    void run(Run& run, const WorkerSchedules& schedules) const {
        std::latch through(static_cast<std::ptrdiff_t>(schedules.size()));
        run.launch(run.plan().workers, [&](Worker& worker) {
            ScheduledWorker at(worker);
            schedules[worker.index](at);
            if (!run.stopping()) through.count_down();  // must always count
            through.wait();
        });
    }
};

}  // namespace weir::schedulers
