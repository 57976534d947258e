// Each worker runs the whole graph, on stretches of items of its own: planner.py says how long they are.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

/// `Params` has nothing to set in it: what is fused was decided by the generator.
struct Replicated {
    struct Params {
        bool fuse = false;
    };
    Params params;

    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
