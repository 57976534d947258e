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

/// Stands in until the command line has laid out a file without positions. Upper left corners, sources on the left.
/// Deterministic; edges that close a cycle do not count.
std::vector<QPointF> layeredLayout(const std::vector<LayoutBlock>& blocks, const std::vector<LayoutEdge>& edges);

} // namespace weir::editor
