// As static, with memory that goes from worker to worker: planner.py says which streams are one circuit.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

/// Each worker repeats its section. `Params` has nothing to set in it: how large circuits are was decided by the generator.
struct Circuit {
    struct Params {
        std::int64_t quanta = 0;
    };
    Params params;

    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
