#include "features/canvas/scene_painter.h"

#include "core/graph/node_geometry.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr qreal kSmallestLetters = 11; ///< least readable letters
constexpr qreal kCoarseGrid = 0.5;
constexpr qreal kTie = 1e-6; ///< pixels: rounds halves the same way despite rounding errors
constexpr qreal kDenseGrid = 14; ///< px between dots

} // namespace

bool ScenePainter::isMoving(const WireView& wire) const {
    const MoveSet& dragged = m_scene.dragged();
    if (dragged.isEmpty()) return false;
    if (isMoving(m_scene.blocks()[static_cast<std::size_t>(wire.source)]) ||
        isMoving(m_scene.blocks()[static_cast<std::size_t>(wire.target)]))
        return true;
    if (wire.via.isEmpty()) return false;
    const std::string key = decor::wireKey(wire.connection);
    return std::any_of(dragged.decor.begin(), dragged.decor.end(),
                       [&key](const DecorId& part) { return part.kind == DecorKind::Point && part.key == key; });
}

bool ScenePainter::isMoving(const GroupView& group) const { return m_scene.dragged().blocks.intersects(group.blocks); }

bool ScenePainter::isMoving(DecorKind kind, const std::string& key) const {
    return m_scene.dragged().decor.contains({kind, key});
}

void ScenePainter::paintResting(QPainter& painter, const QRectF& area) const {
    painter.fillRect(area, m_style.canvas);
    paintLayers(painter, area, false);
}

void ScenePainter::paintMoving(QPainter& painter, const QRectF& area) const {
    if (!m_scene.dragged().isEmpty()) paintLayers(painter, area, true);
}

void ScenePainter::paintLayers(QPainter& painter, const QRectF& area, bool moving) const {
    const QRectF shown = m_view.unmap(area);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!moving) paintGrid(painter, area);
    for (const FrameView& frame : m_scene.frames())
        if (isMoving(DecorKind::Frame, frame.key) == moving && frame.rect.intersects(shown)) paintFrame(painter, frame);
    for (const GroupView& group : m_scene.groups())
        if (isMoving(group) == moving && group.rect.intersects(shown)) paintGroup(painter, group);
    m_wires.paint(painter, shown, [this, moving](const WireView& wire) { return isMoving(wire) == moving; });
    for (const NoteView& note : m_scene.notes())
        if (isMoving(DecorKind::Note, note.key) == moving && note.rect.intersects(shown)) paintNote(painter, note);
    if (isFar())
        for (const BlockView& block : m_scene.blocks())
            if (block.rect.intersects(shown) && isMoving(block) == moving) m_blocks.paint(painter, block);
}

void ScenePainter::paintGrid(QPainter& painter, const QRectF& area) const {
    const qreal step = geometry::kGrid * (m_view.zoom < kCoarseGrid ? 5 : 1) * m_view.zoom;
    if (step < 6) return;
    const auto first = [step](qreal offset, qreal from) { return offset + std::ceil((from - offset) / step) * step; };
    // Squares at whole pixels: thousands of round dots would cost more than all wires.
    const int side = step < kDenseGrid ? 1 : 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (qreal y = first(m_view.offset.y(), area.top() - 1); y < area.bottom() + 1; y += step)
        for (qreal x = first(m_view.offset.x(), area.left() - 1); x < area.right() + 1; x += step)
            painter.fillRect(QRect(qRound(x + kTie) - side / 2, qRound(y + kTie) - side / 2, side, side), m_style.dots);
    painter.restore();
}

void ScenePainter::paintFrame(QPainter& painter, const FrameView& frame) const {
    const QRectF rect = m_view.map(frame.rect);
    const QColor color = m_style.decorColor(frame.colour);
    QColor fill = color;
    fill.setAlphaF(look().frame.fill);
    QColor header = color;
    header.setAlphaF(look().frame.head);
    const qreal radius = look().frame.radius * std::min(m_view.zoom, 1.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, radius, radius);
    const QRectF band(rect.topLeft(), QSizeF(rect.width(), decor::kFrameHeader * m_view.zoom));
    if (!isFar()) {
        painter.save();
        painter.setClipRect(band, Qt::IntersectClip);
        painter.setBrush(header);
        painter.drawRoundedRect(rect, radius, radius);
        painter.restore();
    }
    QColor edge = color;
    edge.setAlphaF(look().frame.edge);
    painter.setPen(QPen(edge, look().frame.stroke));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect, radius, radius);

    painter.setFont(m_style.font(std::max(kSmallestLetters, look().frame.title * m_view.zoom), QFont::DemiBold));
    painter.setPen(m_style.text);
    const QFontMetricsF metrics(painter.font());
    const qreal side = look().frame.x;
    const QRectF place(rect.x() + side, rect.y(), rect.width() - 2 * side,
                       std::max(band.height(), metrics.height() + 2));
    if (place.width() > 24)
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(frame.title, Qt::ElideRight, place.width()));
}

void ScenePainter::paintGroup(QPainter& painter, const GroupView& group) const {
    const QRectF rect = m_view.map(group.rect);
    const Look::Group& sizes = look().group;
    QColor fill = m_style.muted;
    fill.setAlphaF(sizes.fill);
    painter.setBrush(fill);
    painter.setPen(QPen(m_style.dots, 1, Qt::DashLine));
    const qreal radius = sizes.radius * std::min(m_view.zoom, 1.0);
    painter.drawRoundedRect(rect, radius, radius);
    painter.setFont(m_style.font(std::max(kSmallestLetters, sizes.caption * m_view.zoom), QFont::Medium));
    painter.setPen(m_style.label);
    painter.drawText(rect.topLeft() + QPointF(sizes.x, sizes.y) * std::max(m_view.zoom, 0.8), group.label);
}

void ScenePainter::paintNote(QPainter& painter, const NoteView& note) const {
    const QRectF rect = m_view.map(note.rect);
    const QColor color = m_style.decorColor(note.colour);
    const Look::Note& sizes = look().note;
    const qreal radius = sizes.radius * std::min(m_view.zoom, 1.0);
    painter.setPen(QPen(CanvasStyle::mixed(color, m_style.canvas, sizes.edge), 1));
    painter.setBrush(CanvasStyle::mixed(color, m_style.node, sizes.fill));
    painter.drawRoundedRect(rect, radius, radius);
    if (isFar()) return;
    const qreal padding = sizes.padding * m_view.zoom;
    painter.setFont(m_style.font(std::max(kSmallestLetters, sizes.words * m_view.zoom)));
    const QFontMetricsF metrics(painter.font());
    QRectF place = rect.adjusted(padding, 0.8 * padding, -padding, -0.6 * padding);
    // Whole lines only: half a line at the lower edge looks like a fault.
    place.setHeight(std::max(1.0, std::floor(place.height() / metrics.lineSpacing())) * metrics.lineSpacing());
    painter.save();
    painter.setClipRect(place, Qt::IntersectClip);
    painter.setPen(note.text.isEmpty() ? m_style.text3 : m_style.text);
    painter.drawText(place, Qt::TextWordWrap | Qt::AlignTop | Qt::AlignLeft, note.text);
    painter.restore();
}

void ScenePainter::paintDecorSelection(QPainter& painter, const QRectF& rect, bool selected) const {
    const QRectF view = m_view.map(rect);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(selected ? m_style.accent : m_style.label, selected ? 2 : 1));
    if (selected) painter.drawRoundedRect(view.adjusted(-3, -3, 3, 3), 10, 10);
    for (const int length : {5, 9, 13})
        painter.drawLine(view.bottomRight() - QPointF(length, 3), view.bottomRight() - QPointF(3, length));
}

} // namespace weir::editor
