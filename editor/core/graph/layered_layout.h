#pragma once

#include <QPointF>
#include <QSizeF>

#include <vector>

namespace weir::editor {

struct LayoutBlock {
    QSizeF size;
};

struct LayoutEdge {
    int source = 0;
    int target = 0;
    double sourceY = 0; ///< of the port, from the top of its block
    double targetY = 0;
};

/// Return upper left corners, sources at the left, until the command line has laid out a file without positions.
/// Deterministic; ignores edges that close a cycle.
std::vector<QPointF> layeredLayout(const std::vector<LayoutBlock>& blocks, const std::vector<LayoutEdge>& edges);

} // namespace weir::editor
