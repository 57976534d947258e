#include "features/plots/drawing.h"

#include <QFontMetricsF>

#include <algorithm>

namespace weir::editor {
namespace {

template <typename... F> struct Overloaded : F... {
    using F::operator()...;
};
template <typename... F> Overloaded(F...) -> Overloaded<F...>; // Clang deduces this by itself from version 17 on.

/// Thin vertical and horizontal lines are drawn without antialiasing, on whole pixels.
bool isCrisp(const Stroke& stroke) {
    if (stroke.points.size() != 2) return false;
    const QPointF a = stroke.points[0], b = stroke.points[1];
    return a.x() == b.x() || a.y() == b.y();
}

QString decimals(double value) { return QString::number(value, 'f', 2); }

QString colour(const QColor& color, const char* property) {
    QString text = QStringLiteral(" %1=\"%2\"")
                       .arg(QLatin1String(property), color.isValid() ? color.name() : QStringLiteral("none"));
    if (color.isValid() && color.alpha() < 255)
        text += QStringLiteral(" %1-opacity=\"%2\"").arg(QLatin1String(property), decimals(color.alphaF()));
    return text;
}

QString svgStroke(const Stroke& stroke) {
    QStringList points;
    for (const QPointF& point : stroke.points) points.append(decimals(point.x()) + u',' + decimals(point.y()));
    QStringList dash;
    for (const qreal part : stroke.dash) dash.append(decimals(part * stroke.width));
    return QStringLiteral("<polyline points=\"%1\" fill=\"none\" stroke-width=\"%2\" stroke-linejoin=\"round\"%3%4/>")
        .arg(points.join(u' '), decimals(stroke.width), colour(stroke.color, "stroke"),
             dash.isEmpty() ? QString() : QStringLiteral(" stroke-dasharray=\"%1\"").arg(dash.join(u' ')));
}

QString svgLabel(const Drawing& drawing, const Label& label) {
    const char* anchor = label.align & Qt::AlignRight ? "end" : label.align & Qt::AlignHCenter ? "middle" : "start";
    const double down = label.align & Qt::AlignTop ? 0.8 : label.align & Qt::AlignBottom ? -0.2 : 0.35;
    QString turn;
    if (label.upright)
        turn = QStringLiteral(" transform=\"rotate(-90 %1 %2)\"").arg(decimals(label.at.x()), decimals(label.at.y()));
    return QStringLiteral(
               "<text x=\"%1\" y=\"%2\" text-anchor=\"%3\" font-family=\"%4\" font-size=\"%5\"%6%7%8>%9</text>")
        .arg(decimals(label.at.x()), decimals(label.at.y() + down * label.size), QLatin1String(anchor),
             (label.mono ? drawing.mono : drawing.sans).toHtmlEscaped(), decimals(label.size),
             label.bold ? QStringLiteral(" font-weight=\"600\"") : QString(), colour(label.color, "fill"), turn,
             label.text.toHtmlEscaped());
}

} // namespace

QFont fontOf(const Drawing& drawing, const Label& label) {
    QFont font(label.mono ? drawing.mono : drawing.sans);
    font.setPixelSize(qRound(label.size));
    font.setWeight(label.bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

void paint(QPainter& painter, const Drawing& drawing) {
    if (drawing.background.isValid()) painter.fillRect(QRectF({0, 0}, drawing.size), drawing.background);
    const auto stroke = [&](const Stroke& it) {
        QPen pen(it.color, it.width, Qt::SolidLine, it.dash.isEmpty() ? Qt::RoundCap : Qt::FlatCap, Qt::RoundJoin);
        if (!it.dash.isEmpty()) pen.setDashPattern(it.dash);
        painter.setRenderHint(QPainter::Antialiasing, !isCrisp(it));
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(it.points);
    };
    const auto area = [&](const Area& it) {
        painter.setRenderHint(QPainter::Antialiasing, it.radius > 0);
        painter.setPen(it.border.isValid() ? QPen(it.border, 1) : QPen(Qt::NoPen));
        painter.setBrush(it.color);
        painter.drawRoundedRect(it.border.isValid() ? it.rect.adjusted(0.5, 0.5, -0.5, -0.5) : it.rect, it.radius,
                                it.radius);
    };
    const auto dot = [&](const Dot& it) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(it.border.isValid() ? QPen(it.border, 2) : QPen(Qt::NoPen));
        painter.setBrush(it.color);
        painter.drawEllipse(it.centre, it.radius, it.radius);
    };
    const auto label = [&](const Label& it) {
        painter.setFont(fontOf(drawing, it));
        painter.setPen(it.color);
        const QSizeF room(2000, 100);
        QRectF box(QPointF(), room);
        box.moveLeft(it.align & Qt::AlignRight ? -room.width() : it.align & Qt::AlignHCenter ? -room.width() / 2 : 0);
        box.moveTop(it.align & Qt::AlignTop ? 0 : it.align & Qt::AlignBottom ? -room.height() : -room.height() / 2);
        painter.save();
        painter.translate(it.at);
        if (it.upright) painter.rotate(-90);
        painter.drawText(box, static_cast<int>(it.align), it.text);
        painter.restore();
    };
    for (const Mark& mark : drawing.marks) std::visit(Overloaded{stroke, area, dot, label}, mark);
}

QByteArray svg(const Drawing& drawing) {
    QStringList lines{
        QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\">")
            .arg(decimals(drawing.size.width()), decimals(drawing.size.height()))};
    const auto rectangle = [](const Area& it) {
        return QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" rx=\"%5\"%6%7/>")
            .arg(decimals(it.rect.x()), decimals(it.rect.y()), decimals(it.rect.width()), decimals(it.rect.height()),
                 decimals(it.radius), colour(it.color, "fill"), colour(it.border, "stroke"));
    };
    if (drawing.background.isValid()) lines.append(rectangle({QRectF({0, 0}, drawing.size), drawing.background}));
    const auto circle = [](const Dot& it) {
        return QStringLiteral("<circle cx=\"%1\" cy=\"%2\" r=\"%3\"%4%5/>")
            .arg(decimals(it.centre.x()), decimals(it.centre.y()), decimals(it.radius), colour(it.color, "fill"),
                 colour(it.border, "stroke"));
    };
    for (const Mark& mark : drawing.marks)
        lines.append(std::visit(Overloaded{[](const Stroke& it) { return svgStroke(it); }, rectangle, circle,
                                           [&](const Label& it) { return svgLabel(drawing, it); }},
                                mark));
    lines.append(QStringLiteral("</svg>\n"));
    return lines.join(u'\n').toUtf8();
}

} // namespace weir::editor
