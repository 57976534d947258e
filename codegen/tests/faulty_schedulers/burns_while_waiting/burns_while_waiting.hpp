// The fault: whoever has nothing to do looks at the clock for a millisecond, and then at its tasks again.
#pragma once

#include <vector>

#include "weir/clock.hpp"
#include "weir/worker_loop.hpp"

namespace weir::schedulers {

struct BurnsWhileWaiting {
    void run(Run& run) const { run.launch(run.plan().workers, work); }

  private:
    static void work(Worker& worker) noexcept {
        constexpr std::int64_t kLook_ns = 1'000'000;
        std::vector<Task*> live = worker.tasks;
        while (!live.empty() && !worker.run->stopping()) {
            if (pass_over(*worker.run, live, kMostSteps).moved) continue;
            for (const std::int64_t until = monotonic_ns() + kLook_ns; monotonic_ns() < until;) {  // must sleep, as the plan says
            }
        }
    }
};

}  // namespace weir::schedulers
