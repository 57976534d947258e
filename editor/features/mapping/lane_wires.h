#pragma once

#include "features/mapping/lane_layout.h"

#include <QPainterPath>

#include <vector>

namespace weir::editor {

/// The streams between two bars, drawn as one line.
struct LaneWire {
    QPainterPath path;
    int streams = 0;
    bool crosses = false;     ///< between two workers
    bool crossesNode = false; ///< between CPUs of different memory nodes
    QString text;             ///< what a pointer over it reads
};

std::vector<LaneWire> laneWires(const std::vector<LaneBar>& bars, const PlanView& plan, const Machine& machine);

} // namespace weir::editor
