// The fault: the worker sleeps until its waiting block is due, so its other blocks wait, too.
#pragma once

#include <ctime>

#include "../a_loop.hpp"
#include "weir/clock.hpp"

namespace weir::schedulers {

struct SleepsThrough {
    void run(Run& run) const {
        run.launch(run.plan().workers, [&run](Worker& worker) {
            a_loop::step(worker, [&run](Task* task) { return is_over(run, *task); });
        });
    }

  private:
    static bool is_over(Run& run, Task& task) noexcept {
        const StepResult result = task.step();
        switch (result.status) {
            case StepStatus::wait:
                while (monotonic_ns() < result.wake_ns && !run.stopping()) {  // must let the other blocks work
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
