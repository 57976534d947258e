// The fault: a failed block counts as done, and its error is not reported.
#pragma once

#include "../a_loop.hpp"

namespace weir::schedulers {

struct DropsAnError {
    void run(Run& run) const {
        run.launch(run.plan().workers, [&run](Worker& worker) {
            a_loop::step(worker, [&run](Task* task) {
                const StepStatus status = task->step().status;
                if (status != StepStatus::done && status != StepStatus::error) return false;
                run.task_done(*task);  // must be Run::fail for an error
                return true;
            });
        });
    }
};

}  // namespace weir::schedulers
