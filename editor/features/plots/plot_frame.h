#pragma once

#include "features/plots/plots.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace weir::editor {

inline constexpr double kTickGap = 56; ///< minimum width of a label, in pixels

/// Maps values to pixels, linearly or logarithmically.
struct Axis {
    double low = 0, high = 1, from = 0, to = 1;
    bool logarithmic = false;

    double at(double value) const {
        const double part = logarithmic ? std::log(std::max(value, low * 1e-3) / low) / std::log(high / low)
                                        : (value - low) / (high - low);
        return from + part * (to - from);
    }
    double valueAt(double pixel) const {
        const double part = (pixel - from) / (to - from);
        return logarithmic ? low * std::pow(high / low, part) : low + part * (high - low);
    }
};

struct Entry {
    QString name;
    QString value;
    QColor color;
};

/// A plot under construction: its axes, and the area between them for the values.
struct Frame {
    static constexpr double kLeft = 58, kRight = 20, kTop = 30, kBottom = 44;
    static constexpr double kText = 11;

    Drawing drawing;
    QRectF area;
    const PlotStyle& style;

    Frame(QSizeF size, const PlotStyle& s, double left = kLeft)
        : drawing{size, s.background, s.sans, s.mono, {}},
          area(left, kTop, std::max(size.width() - left - kRight, 10.0),
               std::max(size.height() - kTop - kBottom, 10.0)),
          style(s) {
        area = QRectF(area.toRect());
    }

    void line(QPointF a, QPointF b, const QColor& color, double width = 1, const QList<qreal>& dash = {}) {
        drawing.add(Stroke{{{a, b}}, color, width, dash});
    }
    void text(QPointF at, const QString& text, const QColor& color, Qt::Alignment align, bool bold = false,
              bool mono = false) {
        drawing.add(Label{at, text, color, align, kText, bold, mono});
    }
    /// Draw a tick and its line across the area.
    void tickY(double y, const QString& label) {
        const double pixel = std::round(y);
        line({area.left(), pixel}, {area.right(), pixel}, style.grid);
        text({area.left() - 8, pixel}, label, style.muted, Qt::AlignRight | Qt::AlignVCenter);
    }
    void tickX(double x, const QString& label) {
        const double pixel = std::round(x);
        line({pixel, area.top()}, {pixel, area.bottom()}, style.grid);
        line({pixel, area.bottom()}, {pixel, area.bottom() + 4}, style.axis);
        text({pixel, area.bottom() + 7}, label, style.muted, Qt::AlignHCenter | Qt::AlignTop);
    }
    void axes(const QString& xTitle, const QString& yTitle) {
        line(area.bottomLeft(), area.bottomRight(), style.axis);
        line(area.topLeft(), area.bottomLeft(), style.axis);
        text({area.center().x(), drawing.size.height() - 4}, xTitle, style.ink, Qt::AlignHCenter | Qt::AlignBottom);
        text({12, 8}, yTitle, style.ink, Qt::AlignLeft | Qt::AlignTop, true);
    }
    void sayEmpty(const QString& why) { text(area.center(), why, style.muted, Qt::AlignCenter); }
    /// Draw a short line in the colour of the entry, followed by its name.
    void key(QPointF at, const Entry& entry) {
        if (entry.color.isValid()) line(at, at + QPointF(12, 0), entry.color, 3);
        text(at + QPointF(18, 0), entry.name, style.ink, Qt::AlignLeft | Qt::AlignVCenter);
    }
    double widthOf(const QString& text, bool mono = false) const {
        return QFontMetricsF(fontOf(drawing, {{}, text, {}, {}, kText, false, mono})).horizontalAdvance(text);
    }
};

} // namespace weir::editor
