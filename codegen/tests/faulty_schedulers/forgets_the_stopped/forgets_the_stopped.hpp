// The fault: whoever was stopped is waited for, for ever.
#pragma once

#include <latch>

#include "weir/section.hpp"

namespace weir::schedulers {

struct ForgetsTheStopped {
    void run(Run& run, const Sections& sections) const {
        std::latch through(static_cast<std::ptrdiff_t>(sections.size()));
        run.launch(run.plan().workers, [&](Worker& worker) {
            Section at(worker);
            sections[worker.index](at);
            if (!run.stopping()) through.count_down();  // must count in any case
            through.wait();
        });
    }
};

}  // namespace weir::schedulers
