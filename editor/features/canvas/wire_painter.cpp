#include "features/canvas/wire_painter.h"

#include "core/look/look.h"

#include <QPainterPath>

#include <algorithm>
#include <map>

namespace weir::editor {
namespace {

constexpr qreal kThinnest = 0.8; ///< below this zoom, wires keep their width on the screen
constexpr qreal kHalo = 10;
const Look::Wire& wireSizes() { return look().wire; }
constexpr qreal kPointRadius = 4.5;
constexpr qreal kSignRadius = 8;

} // namespace

QColor WirePainter::color(const WireView& wire) const {
    return wire.dead ? m_style.nodeBorder : m_style.type(wire.itemType);
}

WirePainter::Look WirePainter::look(const WireView& wire) const {
    Look look{color(wire), wireSizes().width, false, {}};
    if (severity(wire) == QLatin1String("error")) return {m_style.error, wireSizes().width, true, {3, 2}};
    if (wire.dead) return {look.color, wireSizes().width, true, {2, 2}};
    if (wire.itemType == kMessage) {
        look.dashed = true;
        look.dashes = {5, 3};
    }
    if (!m_style.wireMarks.isEmpty()) {
        const auto mark = m_style.wireMarks.value(QString::fromStdString(decor::wireKey(wire.connection))).toMap();
        look.band = mark.value(QStringLiteral("color")).value<QColor>();
        look.bandWidth = mark.value(QStringLiteral("width")).toReal();
    }
    return look;
}

/// Return the width of a pixel at full size, in the scene.
qreal WirePainter::onScreen() const { return std::max(m_view.zoom, kThinnest) / m_view.zoom; }

QPen WirePainter::pen(const Look& look, qreal pixelRatio) const {
    if (m_view.zoom < zoom::kFar) {
        // One pixel at every scale: the painter is fast for such lines.
        QPen thin(look.band.isValid() ? look.band : look.color, pixelRatio);
        thin.setCosmetic(true);
        if (look.dashed) thin.setDashPattern(look.dashes); // rare, so its cost does not matter
        return thin;
    }
    QPen pen(look.color, look.width * onScreen(), Qt::SolidLine, Qt::RoundCap);
    if (look.dashed) {
        pen.setDashPattern(look.dashes);
        pen.setCapStyle(Qt::FlatCap);
    }
    return pen;
}

void WirePainter::stroke(QPainter& painter, const WireView& wire, const QPen& pen) const {
    painter.strokePath(wire.path, pen);
}

void WirePainter::strokeWithCasing(QPainter& painter, const std::vector<const WireView*>& siblings) const {
    // Wires of one output overlap: the casing of one must not cut the other.
    if (m_view.zoom >= zoom::kFar)
        for (const WireView* wire : siblings)
            stroke(painter, *wire,
                   QPen(m_style.canvas, std::max(wireSizes().casing, look(*wire).bandWidth + 4) * onScreen(),
                        Qt::SolidLine, Qt::FlatCap));
    if (m_view.zoom >= zoom::kFar)
        for (const WireView* wire : siblings)
            if (const Look its = look(*wire); its.band.isValid())
                stroke(painter, *wire, QPen(its.band, its.bandWidth * onScreen(), Qt::SolidLine, Qt::FlatCap));
    for (const WireView* wire : siblings)
        stroke(painter, *wire, pen(look(*wire), painter.device()->devicePixelRatioF()));
    if (siblings.front()->shared && m_view.zoom >= zoom::kFar) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(look(*siblings.front()).color);
        painter.drawEllipse(siblings.front()->from + QPointF(wireSizes().forked, 0), wireSizes().fork,
                            wireSizes().fork);
        painter.setBrush(Qt::NoBrush);
    }
}

void WirePainter::paint(QPainter& painter, const QRectF& area, const Choose& choose) const {
    painter.save();
    painter.translate(m_view.offset);
    painter.scale(m_view.zoom, m_view.zoom);
    painter.setBrush(Qt::NoBrush);
    std::map<std::pair<int, int>, std::vector<const WireView*>> outputs;
    std::vector<const WireView*> shown;
    for (const WireView& wire : m_scene.wires())
        if (wire.bounds.adjusted(-kHalo, -kHalo, kHalo, kHalo).intersects(area) && choose(wire)) {
            shown.push_back(&wire);
            if (wire.shared) outputs[{wire.source, wire.sourcePort}].push_back(&wire);
        }
    for (const WireView* wire : shown) {
        if (!wire->shared) {
            strokeWithCasing(painter, {wire});
        } else if (const auto node = outputs.extract({wire->source, wire->sourcePort})) {
            strokeWithCasing(painter, node.mapped());
        }
    }
    painter.restore();
    for (const WireView* wire : shown) paintSigns(painter, *wire);
}

void WirePainter::paintSigns(QPainter& painter, const WireView& wire) const {
    const bool far = m_view.zoom < zoom::kFar;
    if (!far)
        for (const QPointF& point : wire.via) paintPoint(painter, point, false);
    const QString problem = severity(wire);
    if (problem.isEmpty() || problem == QLatin1String("note") || far) return;
    const bool error = problem == QLatin1String("error");
    const QPointF middle = m_view.map(wire.path.pointAtPercent(0.5));
    painter.setPen(QPen(error ? m_style.error : m_style.warning, 1.5));
    painter.setBrush(error ? m_style.errorBackground : m_style.warningBackground);
    painter.drawEllipse(middle, kSignRadius, kSignRadius);
    if (error) {
        const qreal d = kSignRadius * 0.7;
        painter.drawLine(middle + QPointF(-d, d), middle + QPointF(d, -d));
    } else {
        painter.setFont(m_style.font(11, QFont::DemiBold));
        painter.drawText(QRectF(middle - QPointF(kSignRadius, kSignRadius), QSizeF(2 * kSignRadius, 2 * kSignRadius)),
                         Qt::AlignCenter, QStringLiteral("!"));
    }
}

void WirePainter::paintPoint(QPainter& painter, QPointF point, bool selected) const {
    const QPointF at = m_view.map(point);
    painter.setPen(QPen(selected ? m_style.accent : m_style.label, selected ? 2 : 1.5));
    painter.setBrush(m_style.node);
    painter.drawEllipse(at, kPointRadius, kPointRadius);
}

void WirePainter::paintSelected(QPainter& painter, const WireView& wire) const {
    paintOver(painter, wire, {m_style.accent, wireSizes().width, false, {}}, kHalo, 0.35F);
}

void WirePainter::paintOver(QPainter& painter, const WireView& wire, const Look& look, qreal halo,
                            float strength) const {
    painter.save();
    painter.translate(m_view.offset);
    painter.scale(m_view.zoom, m_view.zoom);
    QColor around = look.color;
    around.setAlphaF(strength);
    stroke(painter, wire, QPen(around, halo * onScreen(), Qt::SolidLine, Qt::RoundCap));
    QPen line = pen(look, painter.device()->devicePixelRatioF());
    line.setCosmetic(false);
    line.setWidthF(look.width * onScreen());
    stroke(painter, wire, line);
    painter.restore();
    paintSigns(painter, wire);
}

void WirePainter::paintHovered(QPainter& painter, const WireView& wire) const {
    paintOver(painter, wire, look(wire), kHalo, 0.25F);
}

} // namespace weir::editor
