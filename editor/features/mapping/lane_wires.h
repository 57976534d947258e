#pragma once

#include "features/mapping/lane_layout.h"

#include <QPainterPath>

#include <vector>

namespace weir::editor {

/// Streams between two bars, drawn as one line.
struct LaneWire {
    QPainterPath path;
    int streams = 0;
    bool crosses = false;     ///< the streams lead from one worker to another
    bool crossesNode = false; ///< the workers' CPUs are on different NUMA nodes
    QString text;             ///< text for the pointer over it
};

std::vector<LaneWire> laneWires(const std::vector<LaneBar>& bars, const PlanView& plan, const Machine& machine);

} // namespace weir::editor
