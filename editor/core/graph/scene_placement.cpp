#include "core/graph/graph_scene.h"

#include "core/document/project_places.h"
#include "core/graph/layered_layout.h"
#include "core/graph/node_geometry.h"
#include "core/graph/wire_geometry.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

std::optional<QPointF> positionOf(const Json& value) {
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) return {};
    const QPointF position(value[0].get<double>(), value[1].get<double>());
    return std::abs(position.x()) <= kFarthest && std::abs(position.y()) <= kFarthest ? std::optional(position)
                                                                                      : std::nullopt;
}

} // namespace

void GraphScene::findHomes() {
    for (BlockView& block : m_blocks) block.rect.setSize(geometry::blockSize(block));

    // One pass over the file: looking each block up in its ordered object would be quadratic.
    QHash<QString, QPointF> stored;
    for (const auto& item : object(find(m_document.json(), kPositions)).items())
        if (const auto position = positionOf(item.value()))
            stored.insert(QString::fromStdString(item.key()), *position);

    const bool missing = std::any_of(m_blocks.begin(), m_blocks.end(), [&](const BlockView& block) {
        return !stored.contains(block.id) && !m_automatic.contains(block.id);
    });
    if (missing) {
        std::vector<LayoutBlock> boxes;
        std::vector<LayoutEdge> edges;
        for (const BlockView& block : m_blocks) boxes.push_back({block.rect.size()});
        for (const WireView& wire : m_wires)
            edges.push_back(
                {wire.source, wire.target, geometry::portY(wire.sourcePort), geometry::portY(wire.targetPort)});
        const auto corners = layeredLayout(boxes, edges);
        for (std::size_t index = 0; index < m_blocks.size(); ++index)
            if (!m_automatic.contains(m_blocks[index].id)) m_automatic.insert(m_blocks[index].id, corners[index]);
    }
    m_homes.clear();
    for (const BlockView& block : m_blocks) {
        const auto position = stored.constFind(block.id);
        m_homes.push_back(position != stored.constEnd() ? *position : m_automatic.value(block.id));
    }
}

void GraphScene::setAutomaticPlaces(const QHash<QString, QPointF>& places) {
    m_automatic = places;
    findHomes();
    placeAll();
    emit changed();
}

bool GraphScene::isUnplaced() const {
    const Json& stored = object(find(m_document.json(), kPositions));
    return !m_blocks.empty() && std::none_of(m_blocks.begin(), m_blocks.end(), [&stored](const BlockView& block) {
        return stored.contains(block.id.toStdString());
    });
}

void GraphScene::placeAll() {
    for (std::size_t index = 0; index < m_blocks.size(); ++index) {
        BlockView& block = m_blocks[index];
        block.rect.moveTopLeft(m_dragged.blocks.contains(block.id) ? m_homes[index] + m_dragOffset : m_homes[index]);
    }
    for (WireView& wire : m_wires) placeWire(wire);
    buildGroups();
    placeDecor();
}

void GraphScene::placeDecor() {
    m_frames = decor::frames(m_document.json());
    m_notes = decor::notes(m_document.json());
    const auto place = [this](DecorKind kind, auto& parts) {
        for (auto& part : parts) {
            if (m_dragged.decor.contains({kind, part.key})) part.rect.translate(m_dragOffset);
            if (m_resized == DecorId{kind, part.key}) part.rect = m_resizedRect;
        }
    };
    place(DecorKind::Frame, m_frames);
    place(DecorKind::Note, m_notes);
}

void GraphScene::placeWire(WireView& wire) {
    const BlockView& source = m_blocks[static_cast<std::size_t>(wire.source)];
    const BlockView& target = m_blocks[static_cast<std::size_t>(wire.target)];
    const QPointF from = source.rect.topLeft() + geometry::portOffset(source, wire.sourcePort, true);
    const QPointF to = target.rect.topLeft() + geometry::portOffset(target, wire.targetPort, false);
    QList<QPointF> via;
    if (!m_reroutes.empty()) {
        const std::string key = decor::wireKey(wire.connection);
        if (const auto points = m_reroutes.find(key); points != m_reroutes.end()) via = points->second;
        for (qsizetype index = 0; index < via.size(); ++index)
            if (m_dragged.decor.contains({DecorKind::Point, key, static_cast<int>(index)})) via[index] += m_dragOffset;
    }
    // A drag leaves most wires unchanged. A wire that leads back takes a free lane among all blocks.
    const bool goesOn = to.x() >= from.x() || !via.isEmpty();
    if (!wire.path.isEmpty() && goesOn && from == wire.from && to == wire.to && via == wire.via) return;
    wire.from = from;
    wire.to = to;
    wire.via = via;
    geometry::Band band{std::min(source.rect.top(), target.rect.top()),
                        std::max(source.rect.bottom(), target.rect.bottom())};
    if (!goesOn) {
        std::vector<QRectF> rects;
        for (const BlockView& block : m_blocks) rects.push_back(block.rect);
        band.lane = geometry::laneBetween(source.rect, target.rect, rects);
    }
    wire.path = geometry::wirePath(from, to, via, band);
    wire.bounds = wire.path.boundingRect();
}

MoveSet GraphScene::movedWith(const QSet<QString>& blocks, const std::set<DecorId>& decor) const {
    MoveSet moved{blocks, decor};
    for (const FrameView& frame : m_frames) {
        if (!decor.contains({DecorKind::Frame, frame.key})) continue;
        for (const BlockView& block : m_blocks)
            if (frame.rect.contains(block.rect.center())) moved.blocks.insert(block.id);
        for (const NoteView& note : m_notes)
            if (frame.rect.contains(note.rect.center())) moved.decor.insert({DecorKind::Note, note.key});
        for (const FrameView& inner : m_frames)
            if (frame.rect.contains(inner.rect)) moved.decor.insert({DecorKind::Frame, inner.key});
    }
    if (m_reroutes.empty() || moved.blocks.isEmpty()) return moved;
    for (const WireView& wire : m_wires)
        if (!wire.via.isEmpty() && moved.blocks.contains(m_blocks[static_cast<std::size_t>(wire.source)].id) &&
            moved.blocks.contains(m_blocks[static_cast<std::size_t>(wire.target)].id))
            for (int index = 0; index < wire.via.size(); ++index)
                moved.decor.insert({DecorKind::Point, decor::wireKey(wire.connection), index});
    return moved;
}

void GraphScene::setDrag(const MoveSet& parts, QPointF offset) {
    if (parts == m_dragged && offset == m_dragOffset) return;
    m_dragged = parts;
    m_dragOffset = offset;
    placeAll();
    emit moved();
}

void GraphScene::setResized(const std::optional<DecorId>& part, QRectF rect) {
    m_resized = part;
    m_resizedRect = rect;
    placeDecor();
    emit moved();
}

} // namespace weir::editor
