// As static, with loops that several blocks share: planner.py says which.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

/// Each worker repeats its section. `Params` has nothing to set in it: how long loops are was decided by the generator.
struct Fused {
    struct Params {
        std::int64_t blocks_a_loop = 8;
    };
    Params params;

    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
