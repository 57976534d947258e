#include "core/graph/wire_geometry.h"

#include "core/look/look.h"

#include <QLineF>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir::editor::geometry {
namespace {

// A wire that leads back swings out by 3/4 of its arm: less than the gap between two columns of blocks.
const Look::Wire::Arm& arms() { return look().wire.arm; }
const Look::Wire::Gap& gaps() { return look().wire.gap; }
constexpr double kFar = std::numeric_limits<double>::max();

QPointF nearestOnSegment(QPointF point, QPointF a, QPointF b) {
    const QPointF d = b - a;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(point - a, d) / length, 0.0, 1.0) : 0.0;
    return a + t * d;
}

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

QPolygonF flattened(const QPainterPath& path) {
    const auto polygons = path.toSubpathPolygons();
    return polygons.isEmpty() ? QPolygonF() : polygons.front();
}

/// Return the position along the line that is nearest to `point`.
double along(QPointF point, const QPolygonF& line) {
    double best = kFar;
    double place = 0;
    double before = 0;
    for (qsizetype index = 0; index + 1 < line.size(); ++index) {
        const QPointF nearest = nearestOnSegment(point, line[index], line[index + 1]);
        const double d = distance(point, nearest);
        if (d < best) {
            best = d;
            place = before + distance(line[index], nearest);
        }
        before += distance(line[index], line[index + 1]);
    }
    return place;
}

/// Bows the path around the blocks at both ends, on the nearer side.
void bow(QPainterPath& path, QPointF from, QPointF to, Band band) {
    const double gap = std::clamp(std::abs(to.y() - from.y()) / 4, gaps().least, gaps().most);
    const double middle = (from.y() + to.y()) / 2;
    const double below = band.bottom + gap;
    const double above = band.top - gap;
    const double y = band.lane.value_or(std::abs(above - middle) < std::abs(below - middle) ? above : below);
    path.cubicTo(from + QPointF(arms().returning, 0), QPointF(from.x() + arms().returning, y), QPointF(from.x(), y));
    path.lineTo(to.x(), y);
    path.cubicTo(QPointF(to.x() - arms().returning, y), to - QPointF(arms().returning, 0), to);
}

void through(QPainterPath& path, QPointF from, QPointF to, const QList<QPointF>& via) {
    QList<QPointF> points{from};
    points.append(via);
    points.append(to);
    const auto direction = [&points](qsizetype index) {
        if (index == 0 || index == points.size() - 1) return QPointF(1, 0);
        const QPointF d = points[index + 1] - points[index - 1];
        const double length = std::hypot(d.x(), d.y());
        return length > 0 ? d / length : QPointF(1, 0);
    };
    for (qsizetype index = 0; index + 1 < points.size(); ++index) {
        const double arm = std::min(arms().share * distance(points[index], points[index + 1]), arms().most);
        path.cubicTo(points[index] + arm * direction(index), points[index + 1] - arm * direction(index + 1),
                     points[index + 1]);
    }
}

} // namespace

std::optional<double> laneBetween(const QRectF& source, const QRectF& target, const std::vector<QRectF>& others) {
    const bool down = source.bottom() < target.bottom();
    const double from = down ? source.bottom() : target.bottom();
    const double to = down ? target.top() : source.top();
    const double left = target.left() - arms().returning;
    const double right = source.right() + arms().returning;
    std::vector<std::pair<double, double>> taken;
    for (const QRectF& other : others)
        if (other.left() < right && other.right() > left && other.top() < to && other.bottom() > from)
            taken.emplace_back(other.top(), other.bottom());
    std::sort(taken.begin(), taken.end());
    taken.emplace_back(to, to);
    std::optional<double> middle;
    double widest = 2 * gaps().least;
    double at = from;
    for (const auto& [top, bottom] : taken) {
        if (top - at >= widest && !(middle && top - at == widest)) {
            widest = top - at;
            middle = (at + top) / 2;
        }
        at = std::max(at, bottom);
    }
    return middle;
}

QPainterPath wirePath(QPointF from, QPointF to, const QList<QPointF>& via, std::optional<Band> band) {
    QPainterPath path(from);
    const double dx = to.x() - from.x();
    if (!via.isEmpty()) {
        through(path, from, to, via);
    } else if (dx >= 0) {
        const double arm = std::min(std::clamp(dx / 2, arms().least, arms().most), std::max(dx, arms().least));
        path.cubicTo(from + QPointF(arm, 0), to - QPointF(arm, 0), to);
    } else {
        bow(path, from, to,
            band.value_or(Band{std::min(from.y(), to.y()) - gaps().most, std::max(from.y(), to.y()) + gaps().least}));
    }
    return path;
}

double distanceToPath(QPointF point, const QPainterPath& path) {
    const QPolygonF line = flattened(path);
    double best = kFar;
    for (qsizetype index = 0; index + 1 < line.size(); ++index)
        best = std::min(best, distance(point, nearestOnSegment(point, line[index], line[index + 1])));
    return best;
}

int pointsBefore(QPointF point, const QList<QPointF>& via, const QPainterPath& path) {
    const QPolygonF line = flattened(path);
    const double place = along(point, line);
    return static_cast<int>(std::count_if(via.begin(), via.end(), [&](QPointF p) { return along(p, line) < place; }));
}

bool isInLine(int index, QPointF from, QPointF to, const QList<QPointF>& via, double tolerance) {
    if (index < 0 || index >= via.size()) return false;
    QList<QPointF> without = via;
    without.removeAt(index);
    return distanceToPath(via[index], wirePath(from, to, without)) <= tolerance;
}

} // namespace weir::editor::geometry
