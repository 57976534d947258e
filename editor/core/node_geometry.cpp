#include "node_geometry.h"

#include <QFont>
#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::editor::geometry {
namespace {

constexpr double kMinimumArm = 24;
constexpr double kMaximumArm = 160;
constexpr double kBackwardArm = 80;

double textWidth(const QString &text, int pixelSize, QFont::Weight weight)
{
    QFont font;
    font.setPixelSize(pixelSize);
    font.setWeight(weight);
    return QFontMetricsF(font).horizontalAdvance(text);
}

} // namespace

double portY(int index)
{
    return kHeader + 4 + kPortPitch / 2 + index * kPortPitch;
}

QSizeF blockSize(const BlockView &block)
{
    static constexpr std::array<double, 5> kWidths{160, 180, 200, 240, 280};
    const double badge = block.badge.isEmpty() ? 0 : textWidth(block.badge, 11, QFont::Medium) + 24;
    double wanted = 38 + std::max(textWidth(block.id, 13, QFont::DemiBold) + badge, textWidth(block.title, 11, QFont::Normal)) + 16;
    for (const ParameterView &parameter : block.parameters)
        wanted = std::max(wanted, textWidth(parameter.name, 11, QFont::Normal) + 7.3 * parameter.value.size() + 40);
    const auto width = std::find_if(kWidths.begin(), kWidths.end() - 1, [wanted](double w) { return w >= wanted; });
    const double rows = static_cast<double>(std::max({block.inputs.size(), block.outputs.size(), qsizetype{1}}));
    const double parameters = static_cast<double>(block.parameters.size() + (block.moreParameters > 0 ? 1 : 0));
    const double height = kHeader + 4 + rows * kPortPitch + (parameters > 0 ? 4 + parameters * kParameterPitch : 0) + 8;
    return {*width, height};
}

QPointF portOffset(const BlockView &block, int index, bool output)
{
    return {output ? block.rect.width() : 0, portY(index)};
}

QPainterPath wirePath(QPointF from, QPointF to)
{
    QPainterPath path(from);
    const double dx = to.x() - from.x();
    if (dx >= 0) {
        const double arm = std::min(std::clamp(dx / 2, kMinimumArm, kMaximumArm), std::max(dx, kMinimumArm));
        path.cubicTo(from + QPointF(arm, 0), to - QPointF(arm, 0), to);
        return path;
    }
    // A target on the left: bow below both ends, so that the wire does not run through its blocks.
    const double bow = std::max(from.y(), to.y()) + kBackwardArm;
    const QPointF middle((from.x() + to.x()) / 2, bow);
    path.cubicTo(from + QPointF(kBackwardArm, 0), QPointF(from.x() + kBackwardArm, bow), middle);
    path.cubicTo(QPointF(to.x() - kBackwardArm, bow), to - QPointF(kBackwardArm, 0), to);
    return path;
}

double distanceToWire(QPointF point, QPointF from, QPointF to)
{
    const QPainterPath path = wirePath(from, to);
    if (!path.controlPointRect().adjusted(-20, -20, 20, 20).contains(point))
        return 1e9;
    constexpr int kSteps = 48;
    double best = 1e9;
    for (int step = 0; step <= kSteps; ++step) {
        const QPointF d = path.pointAtPercent(double(step) / kSteps) - point;
        best = std::min(best, std::hypot(d.x(), d.y()));
    }
    return best;
}

} // namespace weir::editor::geometry
