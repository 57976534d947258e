#pragma once

#include <QPointF>
#include <QRectF>

namespace zoom {

/// From here on everything is shown; below, neither parameters nor names of ports, and titles keep their size on screen.
inline constexpr qreal kFull = 0.75;
/// Below, a block is a coloured shape with its sign, painted with the wires instead of being an item.
inline constexpr qreal kFar = 0.45;

} // namespace zoom

/// From the scene to pixels.
struct ViewTransform
{
    QPointF offset;
    qreal zoom = 1;

    QPointF map(QPointF point) const { return point * zoom + offset; }
    QRectF map(const QRectF &rect) const { return {map(rect.topLeft()), rect.size() * zoom}; }
    QPointF unmap(QPointF point) const { return (point - offset) / zoom; }
    QRectF unmap(const QRectF &rect) const { return {unmap(rect.topLeft()), rect.size() / zoom}; }
    bool operator==(const ViewTransform &) const = default;
};
