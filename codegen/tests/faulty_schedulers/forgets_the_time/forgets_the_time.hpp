// The fault: drops the time at which a block requested to be called again.
#pragma once

#include "../a_loop.hpp"

namespace weir::schedulers {

struct ForgetsTheTime {
    void run(Run& run) const {
        run.launch(run.plan().workers, [](Worker& worker) {
            a_loop::run(worker, a_loop::kUntilStopped, [](Worker&, Waiting& waiting, const Pass&) {
                waiting.idle(kForever);  // must be pass.wake_ns
            });
        });
    }
};

}  // namespace weir::schedulers
