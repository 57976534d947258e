// The fault: the time at which a block asked to be called again is dropped.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/wait.hpp"
#include "weir/worker_loop.hpp"

namespace weir::schedulers {

struct ForgetsTheTime {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    static void work(Worker& worker) noexcept {
        Run& run = *worker.run;
        std::vector<Task*> live = worker.tasks;
        Waiting waiting(run.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
        while (!live.empty() && !run.stopping()) {
            const Pass pass = pass_over(run, live, kMostSteps);
            if (pass.moved) waiting.moved();
            else waiting.idle(kForever /* must be pass.wake_ns */);
        }
    }
};

}  // namespace weir::schedulers
