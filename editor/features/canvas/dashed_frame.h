#pragma once

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QPainter>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Dashed rounded outline, which Rectangle cannot draw; with radius 0, a line across the middle.
class DashedFrame : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QColor color MEMBER m_color NOTIFY changed)
    Q_PROPERTY(qreal radius MEMBER m_radius NOTIFY changed)
    Q_PROPERTY(qreal lineWidth MEMBER m_lineWidth NOTIFY changed)

  public:
    explicit DashedFrame(QQuickItem* parent = nullptr) : QQuickPaintedItem(parent) {
        connect(this, &DashedFrame::changed, this, [this] { update(); });
    }

    void paint(QPainter* painter) override {
        QPen pen(m_color, m_lineWidth);
        pen.setDashPattern({5, 4});
        painter->setPen(pen);
        painter->setRenderHint(QPainter::Antialiasing);
        const qreal inset = m_lineWidth / 2;
        if (m_radius > 0)
            painter->drawRoundedRect(boundingRect().adjusted(inset, inset, -inset, -inset), m_radius, m_radius);
        else painter->drawLine(QPointF(0, height() / 2), QPointF(width(), height() / 2));
    }

  signals:
    void changed();

  private:
    QColor m_color;
    qreal m_radius = 0;
    qreal m_lineWidth = 1;
};

} // namespace weir::editor
