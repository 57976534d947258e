#include "weir/worker_schedule.hpp"

#include "weir/worker_loop.hpp"

namespace weir {

void run_worker_schedules(Run& run, const WorkerSchedules& schedules) {
    run.launch(run.plan().workers, [&schedules](Worker& worker) {
        const auto& schedule = schedules[worker.index];
        if (!schedule) return run_bound_worker(worker);
        ScheduledWorker at(worker);
        schedule(at);
    });
}

}  // namespace weir
