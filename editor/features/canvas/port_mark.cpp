#include "port_mark.h"

#include <QPainter>
#include <QPainterPath>

namespace {

enum class Shape { Circle, Triangle, Square, Diamond };

Shape shapeOf(const QString& type) {
    if (type == QLatin1String("f32") || type == QLatin1String("f64")) return Shape::Triangle;
    if (type == QLatin1String("i32") || type == QLatin1String("i16")) return Shape::Square;
    if (type == QLatin1String("u8") || type == QLatin1String("i8")) return Shape::Diamond;
    return Shape::Circle;
}

bool hasHole(const QString& type) {
    return type == QLatin1String("f64") || type == QLatin1String("i16") || type == QLatin1String("i8");
}

/// Equal weight to the eye, not equal boxes: a triangle needs more room than a square.
QPainterPath outline(Shape shape, QPointF centre, qreal radius) {
    QPainterPath path;
    switch (shape) {
        case Shape::Circle: path.addEllipse(centre, radius, radius); break;
        case Shape::Triangle:
            path.addPolygon(QPolygonF{centre + QPointF(-radius, -1.15 * radius), centre + QPointF(1.2 * radius, 0),
                                      centre + QPointF(-radius, 1.15 * radius)});
            path.closeSubpath();
            break;
        case Shape::Square:
            path.addRect(QRectF(centre - QPointF(radius, radius) * 0.9, QSizeF(radius, radius) * 1.8));
            break;
        case Shape::Diamond:
            path.addPolygon(QPolygonF{centre + QPointF(0, -1.2 * radius), centre + QPointF(1.2 * radius, 0),
                                      centre + QPointF(0, 1.2 * radius), centre + QPointF(-1.2 * radius, 0)});
            path.closeSubpath();
            break;
    }
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
    const QPainterPath path = outline(shapeOf(m_type), centre, radius);
    // The ring first, around the whole shape.
    painter->strokePath(path, QPen(m_fill, 2 * m_ring, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
    painter->setBrush(m_connected ? m_color : m_fill);
    painter->setPen(m_connected ? QPen(Qt::NoPen) : QPen(m_color, 1.75, Qt::SolidLine, Qt::SquareCap, Qt::RoundJoin));
    painter->drawPath(path);
    if (!hasHole(m_type)) return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_connected ? m_fill : m_color);
    const QPointF middle = shapeOf(m_type) == Shape::Triangle ? centre - QPointF(0.25 * radius, 0) : centre;
    painter->drawEllipse(middle, 0.3 * radius, 0.3 * radius);
}
