#include "core/graph/alignment.h"

#include "core/graph/node_geometry.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

const double kGap = 2 * geometry::kGrid;

QSet<QString> downstreamOf(const GraphScene& scene, const QString& first) {
    QSet<QString> seen{first};
    QStringList open{first};
    while (!open.isEmpty()) {
        const std::string block = open.takeLast().toStdString();
        for (const WireView& wire : scene.wires()) {
            const QString next = QString::fromStdString(wire.connection.target);
            if (wire.connection.source == block && !seen.contains(next)) {
                seen.insert(next);
                open.append(next);
            }
        }
    }
    return seen;
}

} // namespace

Placement aligned(const std::vector<BlockView>& blocks, Alignment alignment) {
    QRectF all;
    for (const BlockView& block : blocks) all |= block.rect;
    Placement moved;
    for (const BlockView& block : blocks) {
        QRectF rect = block.rect;
        switch (alignment) {
            case Alignment::Left: rect.moveLeft(all.left()); break;
            case Alignment::Centre: rect.moveLeft(std::round(all.center().x() - rect.width() / 2)); break;
            case Alignment::Right: rect.moveRight(all.right()); break;
            case Alignment::Top: rect.moveTop(all.top()); break;
            case Alignment::Middle: rect.moveTop(std::round(all.center().y() - rect.height() / 2)); break;
            case Alignment::Bottom: rect.moveBottom(all.bottom()); break;
        }
        if (rect != block.rect) moved.emplace_back(block.id.toStdString(), rect.topLeft());
    }
    return moved;
}

Placement distributed(std::vector<BlockView> blocks, Direction direction) {
    if (blocks.size() < 3) return {};
    const bool across = direction == Direction::Horizontal;
    const auto begin = [across](const BlockView& b) { return across ? b.rect.left() : b.rect.top(); };
    const auto extent = [across](const BlockView& b) { return across ? b.rect.width() : b.rect.height(); };
    std::stable_sort(blocks.begin(), blocks.end(),
                     [&](const BlockView& a, const BlockView& b) { return begin(a) < begin(b); });
    double taken = 0;
    for (const BlockView& block : blocks) taken += extent(block);
    const double whole = begin(blocks.back()) + extent(blocks.back()) - begin(blocks.front());
    const double gap = (whole - taken) / static_cast<double>(blocks.size() - 1);
    Placement moved;
    double at = begin(blocks.front());
    for (const BlockView& block : blocks) {
        const double place = &block == &blocks.back() ? begin(block) : std::round(at);
        at += extent(block) + gap;
        if (place != begin(block))
            moved.emplace_back(block.id.toStdString(),
                               across ? QPointF(place, block.rect.y()) : QPointF(block.rect.x(), place));
    }
    return moved;
}

Placement roomFor(const GraphScene& scene, const QRectF& box, const QString& first) {
    const QSet<QString> downstream = downstreamOf(scene, first);
    const QRectF wanted = box.adjusted(-kGap, 0, kGap, 0);
    double shift = 0;
    for (const BlockView& block : scene.blocks())
        if (downstream.contains(block.id) && block.rect.intersects(wanted))
            shift = std::max(shift, wanted.right() - block.rect.left());
    if (shift <= 0) return {};
    shift = std::ceil(shift / geometry::kGrid) * geometry::kGrid;
    Placement moved;
    for (const BlockView& block : scene.blocks())
        if (downstream.contains(block.id))
            moved.emplace_back(block.id.toStdString(), block.rect.topLeft() + QPointF(shift, 0));
    return moved;
}

} // namespace weir::editor
