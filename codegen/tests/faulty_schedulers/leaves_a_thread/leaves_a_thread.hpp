// The fault: a thread of the scheduler outlives the run.
#pragma once

#include <chrono>
#include <thread>

#include "../a_loop.hpp"

namespace weir::schedulers {

struct LeavesAThread {
    void run(Run& run) const {
        std::thread([] {
            for (;;)
                std::this_thread::sleep_for(std::chrono::milliseconds(20));  // must end with the run, and be joined
        }).detach();
        run.launch(run.plan().workers, run_bound_worker);
    }
};

}  // namespace weir::schedulers
