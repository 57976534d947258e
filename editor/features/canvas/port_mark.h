#pragma once

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Mark of a port: colour and shape both show the item type, for colour-blind users. Complex is a circle, floating
/// point a triangle, integers a square, bytes a diamond; the less usual width of each has a hole. An unconnected port
/// is an outline.
class PortMark : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(QString type MEMBER m_type NOTIFY changed)
    Q_PROPERTY(QColor color MEMBER m_color NOTIFY changed)
    /// Colour of the ring that separates it from wires and edges, and of the inside of hollow marks.
    Q_PROPERTY(QColor fill MEMBER m_fill NOTIFY changed)
    Q_PROPERTY(bool connected MEMBER m_connected NOTIFY changed)
    Q_PROPERTY(qreal ring MEMBER m_ring NOTIFY changed)

  public:
    explicit PortMark(QQuickItem* parent = nullptr);

    void paint(QPainter* painter) override;

  signals:
    void changed();

  private:
    QString m_type;
    QColor m_color;
    QColor m_fill;
    bool m_connected = true;
    qreal m_ring = 2;
};

} // namespace weir::editor
