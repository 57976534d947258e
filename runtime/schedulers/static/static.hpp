// Schedules that planner.py made beforehand: when a block fires, and where its items lie, was decided by the generator.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

/// Each worker repeats its section, straight through: within it nobody is asked whether there are items or space.
struct Static {
    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
