// The fault: the worker announces that it will sleep after its last look. What changes in between wakes nobody.
#pragma once

#include <thread>
#include <vector>

#include "weir/wait.hpp"
#include "weir/worker_loop.hpp"

namespace weir::schedulers {

struct LosesAWakeUp {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    static void work(Worker& worker) noexcept {
        std::vector<Task*> live = worker.tasks;
        while (!live.empty() && !worker.run->stopping()) {
            const Pass pass = pass_over(*worker.run, live, kMostSteps);
            if (pass.moved) continue;
            std::this_thread::yield();
            const EventCount::Key key = worker.events->prepare();  // must stand before the pass
            if (worker.run->stopping()) worker.events->cancel();
            else worker.events->wait(key, pass.wake_ns);
        }
    }
};

}  // namespace weir::schedulers
