// The fault is in planner.py.
#pragma once

#include "weir/section.hpp"

namespace weir::schedulers {

struct FollowsASet {
    void run(Run& run, const Sections& sections) const { run_sections(run, sections); }
};

}  // namespace weir::schedulers
