#pragma once

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QPainter>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Slanted lines over values that do not count.
class Hatch : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QColor color MEMBER m_color NOTIFY changed)

  public:
    explicit Hatch(QQuickItem* parent = nullptr) : QQuickPaintedItem(parent) {
        connect(this, &Hatch::changed, this, [this] { update(); });
    }

    void paint(QPainter* painter) override {
        constexpr qreal kStep = 8;
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_color, 1));
        for (qreal x = -height(); x < width(); x += kStep)
            painter->drawLine(QPointF(x, height()), QPointF(x + height(), 0));
    }

  signals:
    void changed();

  private:
    QColor m_color;
};

} // namespace weir::editor
