#pragma once

#include <QList>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace weir::editor::geometry {

/// Top and bottom of the blocks at both ends: a wire that leads back to the left bows around them, or follows the lane.
struct Band {
    double top = 0;
    double bottom = 0;
    std::optional<double> lane = {};
};

/// Return the lane of a wire that leads back to the left between two blocks, one below the other: the middle of the
/// widest gap between them that is free of `others`.
std::optional<double> laneBetween(const QRectF& source, const QRectF& target, const std::vector<QRectF>& others);

/// Return the path from an output to an input through the points in `via`. Without points, a wire to the left bows
/// around `band`.
QPainterPath wirePath(QPointF from, QPointF to, const QList<QPointF>& via = {}, std::optional<Band> band = {});
double distanceToPath(QPointF point, const QPainterPath& path);
/// Return how many points in `via` lie before `point` on the wire: the index for a new point.
int pointsBefore(QPointF point, const QList<QPointF>& via, const QPainterPath& path);
/// Return whether the wire would look the same without the point at `index`.
bool isInLine(int index, QPointF from, QPointF to, const QList<QPointF>& via, double tolerance);

}  // namespace weir::editor::geometry
