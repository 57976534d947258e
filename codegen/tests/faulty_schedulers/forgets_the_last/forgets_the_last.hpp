// The fault: a worker with several blocks ignores the last one.
#pragma once

#include "../a_loop.hpp"

namespace weir::schedulers {

struct ForgetsTheLast {
    void run(Run& run) const {
        run.launch(run.plan().workers, [](Worker& worker) {
            a_loop::run(
                worker,
                [](const Worker& worker, const auto& live) {
                    return !worker.run->stopping() && !(live.size() == 1 && worker.tasks.size() > 1);
                },
                a_loop::kAsPlanned);
        });
    }
};

}  // namespace weir::schedulers
