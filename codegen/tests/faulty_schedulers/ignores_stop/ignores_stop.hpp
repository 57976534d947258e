// The fault: nobody looks at Run::stopping.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/wait.hpp"
#include "weir/worker_loop.hpp"

namespace weir::schedulers {

struct IgnoresStop {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    static void work(Worker& worker) noexcept {
        Run& run = *worker.run;
        std::vector<Task*> live = worker.tasks;
        Waiting waiting(run.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
        while (!live.empty()  /* must ask run.stopping(), too */) {
            const Pass pass = pass_over(run, live, kMostSteps);
            if (pass.moved) waiting.moved();
            else waiting.idle(pass.wake_ns);
        }
    }
};

}  // namespace weir::schedulers
