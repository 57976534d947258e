#pragma once

#include <QPointF>
#include <QRectF>

namespace weir::editor {

namespace zoom {

/// Below a zoom of one half, a block is painted with the wires instead of being an item: a coloured shape with its
/// sign, and its name if it fits. The limit is slightly lower to tolerate rounding of multiplied zooms.
inline constexpr qreal kFar = 0.4999;

}  // namespace zoom

/// Transform from the scene to pixels.
struct ViewTransform {
    QPointF offset;
    qreal zoom = 1;

    QPointF map(QPointF point) const { return point * zoom + offset; }
    QRectF map(const QRectF& rect) const { return {map(rect.topLeft()), rect.size() * zoom}; }
    QPointF unmap(QPointF point) const { return (point - offset) / zoom; }
    QRectF unmap(const QRectF& rect) const { return {unmap(rect.topLeft()), rect.size() / zoom}; }
    bool operator==(const ViewTransform&) const = default;
};

}  // namespace weir::editor
