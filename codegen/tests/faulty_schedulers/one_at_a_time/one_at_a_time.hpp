// The fault: a worker that waits for another one's items keeps it from making them.
#pragma once

#include <mutex>

#include "weir/section.hpp"

namespace weir::schedulers {

struct OneAtATime {
    void run(Run& run, const Sections& sections) const {
        std::mutex turn;
        run.launch(run.plan().workers, [&](Worker& worker) {
            const std::lock_guard lock(turn);  // sections that feed each other must run at the same time
            Section at(worker);
            sections[worker.index](at);
        });
    }
};

}  // namespace weir::schedulers
