// The fault: an idle worker polls the clock for a millisecond, and then its tasks again.
#pragma once

#include "../a_loop.hpp"
#include "weir/clock.hpp"

namespace weir::schedulers {

struct BurnsWhileWaiting {
    void run(Run& run) const {
        run.launch(run.plan().workers, [](Worker& worker) {
            a_loop::run(worker, a_loop::kUntilStopped, [](auto&&...) {
                constexpr std::int64_t kLook_ns = 1'000'000;
                for (const std::int64_t until = monotonic_ns() + kLook_ns;
                     monotonic_ns() < until;) {  // must sleep, as planned
                }
            });
        });
    }
};

}  // namespace weir::schedulers
