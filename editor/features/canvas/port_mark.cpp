#include "features/canvas/port_mark.h"

#include "core/look/look.h"

#include <QPainter>
#include <QPainterPath>

namespace weir::editor {
namespace {

/// Shapes have equal visual weight, not equal bounds: a triangle needs more room than a square.
QPainterPath outline(const std::string& type, QPointF centre, qreal radius) {
    const Look::Ports& ports = look().ports;
    const auto shape = ports.types.find(type);
    QPainterPath path;
    if (shape == ports.types.end()) {
        path.addEllipse(centre, radius, radius);
        return path;
    }
    QPolygonF corners;
    for (const auto& [x, y] : ports.shapes.at(shape->second)) corners.append(centre + QPointF(x, y) * radius);
    path.addPolygon(corners);
    path.closeSubpath();
    return path;
}

} // namespace

PortMark::PortMark(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    connect(this, &PortMark::changed, this, [this] { update(); });
}

void PortMark::paint(QPainter* painter) {
    painter->setRenderHint(QPainter::Antialiasing);
    const QPointF centre = boundingRect().center();
    const qreal radius = (width() / 2 - m_ring) / 1.2;
    const std::string type = m_type.toStdString();
    const QPainterPath path = outline(type, centre, radius);
    // Ring first, around the whole shape.
    painter->strokePath(path, QPen(m_fill, 2 * m_ring, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
    painter->setBrush(m_connected ? m_color : m_fill);
    painter->setPen(m_connected ? QPen(Qt::NoPen)
                                : QPen(m_color, look().ports.outline, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
    painter->drawPath(path);
    const auto hole = look().ports.hollow.find(type);
    if (hole == look().ports.hollow.end()) return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_connected ? m_fill : m_color);
    const qreal size = look().ports.hole * radius;
    painter->drawEllipse(centre + QPointF(hole->second * radius, 0), size, size);
}

} // namespace weir::editor
