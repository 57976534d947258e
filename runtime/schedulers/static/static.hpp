// Fixed schedules from planner.py: the generator decides when a block fires and where its items lie.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

/// Each worker repeats its schedule without checking for items or space within it.
struct Static {
    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
