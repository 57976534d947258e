// The fault: two workers are in the same section, from the first on.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

struct HelpsANeighbour {
    void run(Run& run, const Sections& sections) const {
        run.launch(run.plan().workers, [&sections](Worker& worker) {
            Section at(worker);
            for (const auto& section : sections) section(at);  // all but one are other workers'
        });
    }
};

}  // namespace weir::schedulers
