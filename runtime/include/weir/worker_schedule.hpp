// Execution of a worker schedule. The generator writes the loops; this file has the parts they need: when to continue,
// and how to wait for another worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weir/run.hpp"
#include "weir/wait.hpp"

namespace weir {

class ScheduledWorker {
  public:
    explicit ScheduledWorker(Worker& worker) noexcept
        : run_(worker.run), tasks_(worker.spec->tasks), running_(worker.spec->tasks.size()),
          waiting_(worker.run->plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index)) {}

    /// Return whether there is another period: an instance has firings left, and the run goes on.
    bool again() const noexcept { return running_ != 0 && !run_->stopping(); }

    /// Note that one of the worker's instances has no firing left.
    void finished(Instance& instance) noexcept {
        --running_;
        run_->task_done(instance);
    }

    /// Wait by the plan's policy until `ready()`. Returns false if the run must stop.
    template <class Ready> bool wait_until(Ready ready) noexcept {
        // Other workers may wait for items that this one has not published.
        if (!ready()) {
            for (const std::uint32_t task : tasks_) run_->instances()[task]->hand_over();
        }
        while (!ready()) {
            if (run_->stopping()) return false;
            waiting_.idle(kForever);
        }
        waiting_.moved();
        return true;
    }

    Run& run() const noexcept { return *run_; }

  private:
    Run* run_;
    std::span<const std::uint32_t> tasks_;
    std::size_t running_;  ///< number of the worker's unfinished instances
    Waiting waiting_;
};

/// Function that runs the schedule of each worker, in the plan's order. Empty: the worker has no schedule and steps its
/// tasks.
using WorkerSchedules = std::vector<std::function<void(ScheduledWorker&)>>;

/// Run the schedule of each worker, or step its tasks. Returns when all workers have left.
void run_worker_schedules(Run& run, const WorkerSchedules& schedules);

template <class S>
concept WorkerScheduleRunner = requires(S s, Run& run, const WorkerSchedules& schedules) { s.run(run, schedules); };

}  // namespace weir
