// The fault: the worker announces its sleep after its last check. A change in between wakes no one.
#pragma once

#include <thread>

#include "../a_loop.hpp"

namespace weir::schedulers {

struct LosesAWakeUp {
    void run(Run& run) const {
        run.launch(run.plan().workers, [](Worker& worker) {
            a_loop::run(worker, a_loop::kUntilStopped, [](Worker& worker, Waiting&, const Pass& pass) {
                std::this_thread::yield();
                const EventCount::Key key = worker.events->prepare();  // must precede the pass
                if (worker.run->stopping()) worker.events->cancel();
                else worker.events->wait(key, pass.wake_ns);
            });
        });
    }
};

}  // namespace weir::schedulers
