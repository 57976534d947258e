// Runs a schedule that planner.py made: each worker repeats its worker schedule.
#pragma once

#include <cstdint>

#include "weir/section.hpp"  // former name, as in users' schedulers

namespace weir::schedulers {

struct Looped {
    struct Params {
        std::int64_t period_items = 4096;
        std::int64_t passes = 4;
    };
    Params params;  // the planner made the loops from these

    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
