#pragma once

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QPainter>
#include <QPolygonF>
#include <QQuickPaintedItem>

#include <algorithm>

namespace weir::editor {

/// A small line plot from 0 upwards without axes, with a dot at one value. It shows a trend, not magnitudes.
class Sparkline : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QList<double> values MEMBER m_values NOTIFY changed)
    Q_PROPERTY(int current MEMBER m_current NOTIFY changed)
    Q_PROPERTY(QColor color MEMBER m_color NOTIFY changed)

  public:
    explicit Sparkline(QQuickItem* parent = nullptr) : QQuickPaintedItem(parent) {
        connect(this, &Sparkline::changed, this, [this] { update(); });
    }

    void paint(QPainter* painter) override {
        if (m_values.size() < 2) return;
        constexpr qreal kEdge = 3;
        const double most = std::max(*std::max_element(m_values.cbegin(), m_values.cend()), 1e-30);
        QPolygonF line;
        for (qsizetype index = 0; index < m_values.size(); ++index)
            line.append({kEdge + (width() - 2 * kEdge) * double(index) / double(m_values.size() - 1),
                         height() - kEdge - (height() - 2 * kEdge) * m_values[index] / most});
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_color, 1.5));
        painter->drawPolyline(line);
        if (m_current >= 0 && m_current < line.size()) {
            painter->setBrush(m_color);
            painter->drawEllipse(line[m_current], 2.5, 2.5);
        }
    }

  signals:
    void changed();

  private:
    QList<double> m_values;
    QColor m_color;
    int m_current = -1;
};

} // namespace weir::editor
