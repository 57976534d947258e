// The fault: the worker sleeps for the block that asked to wait, and its other blocks have to.
#pragma once

#include <ctime>
#include <vector>

#include "weir/clock.hpp"
#include "weir/run.hpp"

namespace weir::schedulers {

struct SleepsThrough {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    static void work(Worker& worker) noexcept {
        std::vector<Task*> live = worker.tasks;
        while (!live.empty() && !worker.run->stopping()) {
            std::erase_if(live, [&worker](Task* task) { return is_over(*worker.run, *task); });
        }
    }

    static bool is_over(Run& run, Task& task) noexcept {
        const StepResult result = task.step();
        switch (result.status) {
            case StepStatus::wait:
                while (monotonic_ns() < result.wake_ns && !run.stopping()) {  // must let the others work meanwhile
                    const timespec nap{0, 100'000};
                    ::nanosleep(&nap, nullptr);
                }
                return false;
            case StepStatus::done: run.task_done(task); return true;
            case StepStatus::error: run.fail(task, task.error()); return true;
            default: return false;
        }
    }
};

}  // namespace weir::schedulers
