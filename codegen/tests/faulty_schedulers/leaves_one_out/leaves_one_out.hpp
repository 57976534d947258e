// The fault: one section too few.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

struct LeavesOneOut {
    void run(Run& run, const Sections& sections) const {
        run.launch(run.plan().workers, [&sections](Worker& worker) {
            Section at(worker);
            if (worker.index + 1 < sections.size()) sections[worker.index](at);  // must be every one
        });
    }
};

}  // namespace weir::schedulers
