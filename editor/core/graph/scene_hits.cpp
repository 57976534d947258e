#include "core/graph/graph_scene.h"

#include "core/graph/node_geometry.h"
#include "core/graph/wire_geometry.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace weir::editor {
namespace {

double distanceBetween(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

QRectF grown(const QRectF& rect, double by) { return rect.adjusted(-by, -by, by, by); }

template <typename Parts> auto* withKey(Parts& parts, const std::string& key) {
    const auto it = std::find_if(parts.begin(), parts.end(), [&key](const auto& part) { return part.key == key; });
    return it == parts.end() ? nullptr : &*it;
}

} // namespace

const BlockView* GraphScene::block(const QString& id) const {
    const int index = m_index.value(id, -1);
    return index < 0 ? nullptr : &m_blocks[static_cast<std::size_t>(index)];
}

const WireView* GraphScene::wire(const std::string& key) const {
    const auto it = std::find_if(m_wires.begin(), m_wires.end(),
                                 [&key](const WireView& wire) { return decor::wireKey(wire.connection) == key; });
    return it == m_wires.end() ? nullptr : &*it;
}

const FrameView* GraphScene::frame(const std::string& key) const { return withKey(m_frames, key); }

const NoteView* GraphScene::note(const std::string& key) const { return withKey(m_notes, key); }

const GroupView* GraphScene::group(const QString& id) const {
    const auto it =
        std::find_if(m_groups.begin(), m_groups.end(), [&id](const GroupView& group) { return group.id == id; });
    return it == m_groups.end() ? nullptr : &*it;
}

const GroupView* GraphScene::groupOf(const QSet<QString>& blocks) const {
    const auto it = std::find_if(m_groups.begin(), m_groups.end(),
                                 [&blocks](const GroupView& group) { return group.blocks.contains(blocks); });
    return blocks.isEmpty() || it == m_groups.end() ? nullptr : &*it;
}

bool GraphScene::has(const DecorId& part) const {
    if (part.kind != DecorKind::Point) return rectOf(part).has_value();
    const auto points = m_reroutes.find(part.key);
    return points != m_reroutes.end() && part.index < points->second.size() && wire(part.key);
}

std::optional<QRectF> GraphScene::rectOf(const DecorId& part) const {
    if (part.kind == DecorKind::Frame)
        if (const FrameView* view = frame(part.key)) return view->rect;
    if (part.kind == DecorKind::Note)
        if (const NoteView* view = note(part.key)) return view->rect;
    return {};
}

QPointF GraphScene::portPosition(const PortRef& port) const {
    const BlockView* view = block(port.block);
    if (!view) return {};
    const auto& ports = port.output ? view->outputs : view->inputs;
    const auto it = std::find_if(ports.begin(), ports.end(), [&port](const PortView& p) { return p.id == port.port; });
    const int index = it == ports.end() ? 0 : static_cast<int>(it - ports.begin());
    return view->rect.topLeft() + geometry::portOffset(*view, index, port.output);
}

std::optional<PortRef> GraphScene::portAt(QPointF point, double radius) const {
    std::optional<PortRef> nearest;
    double best = radius;
    for (const BlockView& block : m_blocks) {
        if (!grown(block.rect, radius).contains(point)) continue;
        for (const bool output : {false, true}) {
            const auto& ports = output ? block.outputs : block.inputs;
            for (int index = 0; index < ports.size(); ++index) {
                const double d =
                    distanceBetween(block.rect.topLeft() + geometry::portOffset(block, index, output), point);
                if (d <= best) {
                    best = d;
                    nearest = PortRef{block.id, ports[index].id, output};
                }
            }
        }
    }
    return nearest;
}

const BlockView* GraphScene::blockAt(QPointF point) const {
    const auto it =
        std::find_if(m_blocks.rbegin(), m_blocks.rend(), [&](const BlockView& b) { return b.rect.contains(point); });
    return it == m_blocks.rend() ? nullptr : &*it;
}

const WireView* GraphScene::wireAt(QPointF point, double distance) const {
    // Test bounding boxes first: a few thousand tests take microseconds, as long as one exact curve test.
    const WireView* nearest = nullptr;
    for (const WireView& wire : m_wires) {
        if (!grown(wire.bounds, distance).contains(point)) continue;
        const double d = geometry::distanceToPath(point, wire.path);
        if (d <= distance) {
            distance = d;
            nearest = &wire;
        }
    }
    return nearest;
}

const FrameView* GraphScene::frameAt(QPointF point, double edge) const {
    const FrameView* smallest = nullptr;
    const auto area = [](const FrameView& frame) { return frame.rect.width() * frame.rect.height(); };
    for (const FrameView& frame : m_frames) {
        const QRectF inside = frame.rect.adjusted(edge, decor::kFrameHeader, -edge, -edge);
        if (grown(frame.rect, edge).contains(point) && !inside.contains(point) &&
            (!smallest || area(frame) < area(*smallest)))
            smallest = &frame;
    }
    return smallest;
}

const NoteView* GraphScene::noteAt(QPointF point) const {
    const auto it =
        std::find_if(m_notes.rbegin(), m_notes.rend(), [&](const NoteView& n) { return n.rect.contains(point); });
    return it == m_notes.rend() ? nullptr : &*it;
}

const GroupView* GraphScene::groupAt(QPointF point, double least) const {
    constexpr double kTitle = 28;
    const auto it = std::find_if(m_groups.rbegin(), m_groups.rend(), [&](const GroupView& group) {
        return QRectF(group.rect.topLeft(), QSizeF(group.rect.width(), std::max(kTitle, least))).contains(point);
    });
    return it == m_groups.rend() ? nullptr : &*it;
}

std::optional<DecorId> GraphScene::rerouteAt(QPointF point, double distance) const {
    std::optional<DecorId> nearest;
    for (const WireView& wire : m_wires) {
        for (int index = 0; index < wire.via.size(); ++index) {
            const double d = distanceBetween(wire.via[index], point);
            if (d <= distance) {
                distance = d;
                nearest = DecorId{DecorKind::Point, decor::wireKey(wire.connection), index};
            }
        }
    }
    return nearest;
}

std::optional<DecorId> GraphScene::resizeAt(QPointF point, double distance) const {
    const auto atCorner = [&](const QRectF& rect) {
        const QRectF corner(rect.bottomRight() - QPointF(distance, distance), QSizeF(1.5 * distance, 1.5 * distance));
        return corner.contains(point);
    };
    for (auto note = m_notes.rbegin(); note != m_notes.rend(); ++note)
        if (atCorner(note->rect)) return DecorId{DecorKind::Note, note->key};
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame)
        if (atCorner(frame->rect)) return DecorId{DecorKind::Frame, frame->key};
    return {};
}

QPointF GraphScene::freePosition(QPointF wanted, QSizeF size) const {
    const double kClear = geometry::kGrid / 2;
    constexpr int kSteps = 40;
    const QRectF box(wanted, size);
    const double reach = kSteps * geometry::kGrid;
    std::vector<QRectF> near;
    for (const BlockView& block : m_blocks)
        if (block.rect.intersects(box.adjusted(-reach, -reach, reach, reach)))
            near.push_back(block.rect.adjusted(-kClear, -kClear, kClear, kClear));
    const auto isFree = [&](QPointF offset) {
        return std::none_of(near.begin(), near.end(),
                            [&](const QRectF& taken) { return taken.intersects(box.translated(offset)); });
    };
    // Prefer near positions, and below to above. A sideways distance counts double, since signals run from left to
    // right.
    static const std::vector<QPointF> offsets = [] {
        std::vector<QPointF> all;
        for (int x = -kSteps; x <= kSteps; ++x)
            for (int y = -kSteps; y <= kSteps; ++y) all.emplace_back(x * geometry::kGrid, y * geometry::kGrid);
        const auto cost = [](QPointF p) { return std::tuple(4 * p.x() * p.x() + p.y() * p.y(), -p.y(), -p.x()); };
        std::sort(all.begin(), all.end(), [&](QPointF a, QPointF b) { return cost(a) < cost(b); });
        return all;
    }();
    const auto found = std::find_if(offsets.begin(), offsets.end(), isFree);
    return found != offsets.end() ? wanted + *found : QPointF(wanted.x(), bounds().bottom() + geometry::kGrid);
}

}  // namespace weir::editor
