// The fault: a block that failed counts as done, and nobody hears of it.
#pragma once

#include <vector>

#include "weir/run.hpp"

namespace weir::schedulers {

struct DropsAnError {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    static void work(Worker& worker) noexcept {
        std::vector<Task*> live = worker.tasks;
        while (!live.empty() && !worker.run->stopping()) {
            std::erase_if(live, [&worker](Task* task) { return is_over(*worker.run, *task); });
        }
    }

    static bool is_over(Run& run, Task& task) noexcept {
        const StepStatus status = task.step().status;
        if (status != StepStatus::done && status != StepStatus::error) return false;
        run.task_done(task);  // must be Run::fail for an error
        return true;
    }
};

}  // namespace weir::schedulers
