#pragma once

#include <QImage>
#include <QJsonArray>
#include <QQuickItem>

#include <algorithm>
#include <cmath>
#include <cstdlib>

/// Functions that read pictures of the window and measure their differences.
namespace weir::editor::pictures {

/// Sum of the differences of the three colour channels, 0 to 765.
inline int distance(QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
}

/// Luminance by WCAG 2.1, 0 to 1.
inline double luminance(QRgb color) {
    const auto linear = [](int part) {
        const double share = part / 255.0;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) + 0.0722 * linear(qBlue(color));
}

/// Contrast by WCAG 2.1, 1 to 21.
inline double contrast(QRgb a, QRgb b) {
    const auto [low, high] = std::minmax(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

/// Counts the pixels of two equally large pictures for which `differs` holds.
template <class Differs> int count(const QImage& a, const QImage& b, Differs differs) {
    int found = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) found += differs(a.pixel(x, y), b.pixel(x, y));
    return found;
}

/// Counts the pixels of a colour in an area.
inline int inkOf(const QImage& image, const QRect& area, const QColor& colour) {
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.rect().contains(x, y) && image.pixelColor(x, y) == colour;
    return count;
}

/// Return the picture scaled down: each pixel is the mean of the pixels that it replaces.
inline QImage smaller(const QImage& image, QSize size) {
    return image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
}

/// Appends every item visible within `room` to `layout`, in stacking order: [class, name, text, x, y, width, height],
/// in pixels of the window.
inline void collectLayout(const QQuickItem* item, QRectF room, QJsonArray& layout) {
    if (!item->isVisible() || item->opacity() <= 0) return;
    const QRectF rect = item->mapRectToScene(QRectF(QPointF(), item->size()));
    // QML numbers its generated classes in the order of first use, so the number is not stable.
    const QString kind = QString::fromLatin1(item->metaObject()->className()).section(u'_', 0, 0);
    // A plain QQuickItem draws nothing, and lists contain some of arbitrary size.
    if (rect.intersects(room) && kind != QLatin1String("QQuickItem"))
        layout.append(QJsonArray{kind, item->objectName(), item->property("text").toString().left(40), rect.x(),
                                 rect.y(), rect.width(), rect.height()});
    if (item->clip()) room &= rect;
    const auto children = item->childItems();
    for (const QQuickItem* child : children) collectLayout(child, room, layout);
}

/// Lists texts and controls that are outside `room` or elided to nothing, and that no scrolling brings into view.
inline void collectCut(const QQuickItem* item, QRectF room, QStringList& cut) {
    if (!item->isVisible() || item->opacity() <= 0 || item->inherits("QQuickFlickable")) return;
    const QRectF rect = item->mapRectToScene(QRectF(QPointF(), item->size()));
    const QString text = item->property("text").toString();
    const bool isText = item->inherits("QQuickText") && !text.isEmpty();
    if (isText && item->property("truncated").toBool() && item->property("contentWidth").toReal() < 24)
        cut.append(QStringLiteral("%1 is elided to nothing").arg(text));
    if ((isText || item->activeFocusOnTab()) && !room.adjusted(-1, -1, 1, 1).contains(rect))
        cut.append(QStringLiteral("%1 \"%2\" at %3,%4 %5x%6")
                       .arg(item->objectName(), text)
                       .arg(rect.x())
                       .arg(rect.y())
                       .arg(rect.width())
                       .arg(rect.height()));
    if (item->clip()) room &= rect;
    const auto children = item->childItems();
    for (const QQuickItem* child : children) collectCut(child, room, cut);
}

}  // namespace weir::editor::pictures
