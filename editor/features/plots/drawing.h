#pragma once

#include <QByteArray>
#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPolygonF>
#include <QString>

#include <variant>
#include <vector>

namespace weir::editor {

/// A picture of lines and text that can be painted on a screen or written as SVG.
struct Stroke {
    QPolygonF points;
    QColor color;
    double width = 1;
    QList<qreal> dash = {};
};

struct Area {
    QRectF rect;
    QColor color;
    double radius = 0;
    QColor border = {};
};

struct Dot {
    QPointF centre;
    double radius = 3;
    QColor color;
    QColor border = {};
};

struct Label {
    QPointF at; ///< the corner or side that `align` names
    QString text;
    QColor color;
    Qt::Alignment align = Qt::AlignLeft | Qt::AlignVCenter;
    double size = 11;
    bool bold = false;
    bool mono = false;
    bool upright = false; ///< drawn from bottom to top
};

using Mark = std::variant<Stroke, Area, Dot, Label>;

struct Drawing {
    QSizeF size;
    QColor background;
    QString sans;
    QString mono;
    std::vector<Mark> marks;

    void add(Mark mark) { marks.push_back(std::move(mark)); }
};

QFont fontOf(const Drawing& drawing, const Label& label);
void paint(QPainter& painter, const Drawing& drawing);
QByteArray svg(const Drawing& drawing);

} // namespace weir::editor
