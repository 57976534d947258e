#include "core/graph/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::editor {
namespace {

constexpr double kColumnGap = 80;
constexpr double kRowGap = 60; ///< as in the command line
constexpr int kSweeps = 4;

/// Return layers by Kahn's algorithm, in the order of the file. Blocks in a cycle come last, without its closing edges.
std::vector<int> layersOf(int count, const std::vector<LayoutEdge>& edges) {
    std::vector<int> layer(count, 0);
    std::vector<int> waiting(count, 0);
    std::vector<std::vector<int>> next(count);
    for (const LayoutEdge& edge : edges) {
        next[edge.source].push_back(edge.target);
        ++waiting[edge.target];
    }
    std::vector<bool> placed(count, false);
    std::vector<int> ready;
    for (int block = count; block-- > 0;)
        if (waiting[block] == 0) ready.push_back(block);
    for (int left = count; left > 0; --left) {
        int block = 0;
        if (ready.empty()) {
            block = static_cast<int>(std::find(placed.begin(), placed.end(), false) - placed.begin());
        } else {
            block = ready.back();
            ready.pop_back();
        }
        placed[block] = true;
        for (const int target : next[block]) {
            if (placed[target]) continue;
            layer[target] = std::max(layer[target], layer[block] + 1);
            if (--waiting[target] == 0) ready.push_back(target);
        }
    }
    return layer;
}

using Columns = std::vector<std::vector<int>>;
/// Edges at each block.
using Ends = std::vector<std::vector<const LayoutEdge*>>;

Ends endsOf(std::size_t count, const std::vector<LayoutEdge>& edges, int LayoutEdge::* end) {
    Ends ends(count);
    for (const LayoutEdge& edge : edges) ends[edge.*end].push_back(&edge);
    return ends;
}

void orderByNeighbours(Columns& columns, const Ends& incoming, const Ends& outgoing, std::vector<double>& rank) {
    const auto sweep = [&](auto begin, auto end, bool fromLeft) {
        for (auto column = begin; column != end; ++column) {
            for (const int block : *column) {
                const auto& neighbours = fromLeft ? incoming[block] : outgoing[block];
                double sum = 0;
                for (const LayoutEdge* edge : neighbours)
                    sum += fromLeft ? rank[edge->source] + edge->sourceY * 1e-4
                                    : rank[edge->target] + edge->targetY * 1e-4;
                if (!neighbours.empty()) rank[block] = sum / static_cast<double>(neighbours.size());
            }
            std::stable_sort(column->begin(), column->end(), [&](int a, int b) { return rank[a] < rank[b]; });
            for (std::size_t place = 0; place < column->size(); ++place)
                rank[(*column)[place]] = static_cast<double>(place);
        }
    };
    for (int round = 0; round < kSweeps; ++round) {
        sweep(columns.begin(), columns.end(), true);
        sweep(columns.rbegin(), columns.rend(), false);
    }
    sweep(columns.begin(), columns.end(), true);
}

/// Places each block where its incoming wires are straight, then separates overlapping blocks.
void placeRows(const Columns& columns, const std::vector<LayoutBlock>& blocks, const Ends& incoming,
               std::vector<QPointF>& corners) {
    for (const auto& column : columns) {
        double shift = 0;
        double floor = -1e9;
        for (const int block : column) {
            double sum = 0;
            for (const LayoutEdge* edge : incoming[block])
                sum += corners[edge->source].y() + edge->sourceY - edge->targetY;
            const double wanted =
                incoming[block].empty() ? std::max(floor, 0.0) : sum / static_cast<double>(incoming[block].size());
            const double y = std::max(wanted, floor);
            corners[block].setY(y);
            shift += y - wanted;
            floor = y + blocks[block].size.height() + kRowGap;
        }
        for (const int block : column) corners[block].ry() -= shift / static_cast<double>(column.size());
    }
}

}  // namespace

std::vector<QPointF> layeredLayout(const std::vector<LayoutBlock>& blocks, const std::vector<LayoutEdge>& edges) {
    const int count = static_cast<int>(blocks.size());
    std::vector<QPointF> corners(blocks.size());
    if (count == 0) return corners;
    const auto layer = layersOf(count, edges);
    Columns columns(static_cast<std::size_t>(*std::max_element(layer.begin(), layer.end())) + 1);
    std::vector<double> rank(blocks.size(), 0);
    for (int block = 0; block < count; ++block) {
        rank[block] = static_cast<double>(columns[layer[block]].size());
        columns[layer[block]].push_back(block);
    }
    const Ends incoming = endsOf(blocks.size(), edges, &LayoutEdge::target);
    const Ends outgoing = endsOf(blocks.size(), edges, &LayoutEdge::source);
    orderByNeighbours(columns, incoming, outgoing, rank);

    double x = 0;
    for (const auto& column : columns) {
        double width = 0;
        for (const int block : column) {
            corners[block].setX(x);
            width = std::max(width, blocks[block].size.width());
        }
        x += width + kColumnGap;
    }
    placeRows(columns, blocks, incoming, corners);

    const double top =
        std::min_element(corners.begin(), corners.end(), [](auto a, auto b) { return a.y() < b.y(); })->y();
    for (QPointF& corner : corners) corner = QPointF(corner.x(), std::round(corner.y() - top));
    return corners;
}

}  // namespace weir::editor
