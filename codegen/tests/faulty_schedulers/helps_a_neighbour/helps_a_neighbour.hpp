// The fault: two workers are in the same section.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

struct HelpsANeighbour {
    void run(Run& run, const Sections& sections) const {
        run.launch(run.plan().workers, [&sections](Worker& worker) {
            Section at(worker);
            sections[worker.index](at);
            sections[(worker.index + 1) % sections.size()](at);  // is its own worker's
        });
    }
};

}  // namespace weir::schedulers
