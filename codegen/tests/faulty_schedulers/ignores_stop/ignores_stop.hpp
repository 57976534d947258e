// The fault: nobody looks at Run::stopping.
#pragma once

#include "../a_loop.hpp"

namespace weir::schedulers {

struct IgnoresStop {
    void run(Run& run) const {
        run.launch(run.plan().workers, [](Worker& worker) {
            constexpr auto kAlways = [](auto&&...) { return true; };  // must be until it is to stop
            a_loop::run(worker, kAlways, a_loop::kAsPlanned);
        });
    }
};

}  // namespace weir::schedulers
