// The fault: ignores Run::stopping.
#pragma once

#include "../a_loop.hpp"

namespace weir::schedulers {

struct IgnoresStop {
    void run(Run& run) const {
        run.launch(run.plan().workers, [](Worker& worker) {
            constexpr auto kAlways = [](auto&&...) { return true; };  // must become false at a stop
            a_loop::run(worker, kAlways, a_loop::kAsPlanned);
        });
    }
};

}  // namespace weir::schedulers
