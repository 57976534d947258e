#pragma once

#include "editor.h"

#include <QQuickItem>
#include <QtQml/qqmlregistration.h>

#include <optional>

/// The canvas: turns pointer and keys into selections, moves, connections and the view on the scene.
/// One item takes all events, so that gestures do not depend on how blocks are drawn, nor on how many there are.
class GraphView : public QQuickItem
{
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(Editor *editor READ editor WRITE setEditor NOTIFY editorChanged REQUIRED)
    Q_PROPERTY(qreal zoom READ zoom NOTIFY viewChanged)
    Q_PROPERTY(bool detailed READ isDetailed NOTIFY viewChanged)
    Q_PROPERTY(qreal offsetX READ offsetX NOTIFY viewChanged)
    Q_PROPERTY(qreal offsetY READ offsetY NOTIFY viewChanged)
    Q_PROPERTY(QString hoveredBlock READ hoveredBlock NOTIFY hoverChanged)
    Q_PROPERTY(QRectF selectionBox READ selectionBox NOTIFY gestureChanged)
    Q_PROPERTY(bool connecting READ isConnecting NOTIFY gestureChanged)
    Q_PROPERTY(QString connectionHint READ connectionHint NOTIFY gestureChanged)
    Q_PROPERTY(QPointF pointer READ pointer NOTIFY gestureChanged)
    Q_PROPERTY(QStringList acceptingPorts READ acceptingPorts NOTIFY connectingChanged)

public:
    explicit GraphView(QQuickItem *parent = nullptr);

    Editor *editor() const { return m_editor; }
    void setEditor(Editor *editor);
    qreal zoom() const { return m_zoom; }
    /// Far away, blocks are painted with the wires instead of being items.
    bool isDetailed() const;
    qreal offsetX() const { return m_offset.x(); }
    qreal offsetY() const { return m_offset.y(); }
    QString hoveredBlock() const { return m_hoveredBlock; }
    std::optional<weir::editor::Connection> hoveredWire() const { return m_hoveredWire; }
    QRectF selectionBox() const;
    bool isConnecting() const { return m_gesture == Gesture::Connect; }
    QString connectionHint() const { return m_connectionHint; }
    QPointF pointer() const { return m_pointer; }
    QStringList acceptingPorts() const { return m_acceptingPorts; }
    /// The wire that follows the pointer, in view coordinates.
    std::optional<std::pair<QPointF, QPointF>> pendingWire() const;
    QString pendingType() const;

    QPointF toScene(QPointF point) const { return (point - m_offset) / m_zoom; }
    QPointF toView(QPointF point) const { return point * m_zoom + m_offset; }
    Q_INVOKABLE QPointF sceneAt(qreal x, qreal y) const { return toScene({x, y}); }

    Q_INVOKABLE void zoomBy(qreal factor);
    Q_INVOKABLE void resetZoom();
    Q_INVOKABLE void fit();
    Q_INVOKABLE void reveal(const QString &block);

signals:
    void editorChanged();
    void viewChanged();
    void hoverChanged();
    void gestureChanged();
    void connectingChanged();

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseUngrabEvent() override;
    void hoverMoveEvent(QHoverEvent *event) override;
    void hoverLeaveEvent(QHoverEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry) override;

private:
    enum class Gesture { None, Pressed, Move, Box, Connect, Pan };

    void pressLeft(QMouseEvent *event);
    void startGesture();
    void endGesture(Qt::KeyboardModifiers modifiers);
    void cancelGesture();
    void setGesture(Gesture gesture);
    void selectInBox();
    void updateConnectionHint();
    QStringList portsThatAccept(const weir::editor::PortRef &port) const;
    QPointF snappedOffset(Qt::KeyboardModifiers modifiers) const;
    void hoverAt(QPointF position);
    void zoomAt(QPointF fixed, qreal factor);
    void setView(QPointF offset, qreal zoom);
    void updateRegion();
    std::optional<weir::editor::PortRef> portNear(QPointF position) const;

    Editor *m_editor = nullptr;
    QPointF m_offset;
    QRectF m_region;
    qreal m_zoom = 1;
    bool m_fitWhenSized = true;
    bool m_spaceHeld = false;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressed;
    QPointF m_pointer;
    QString m_pressedBlock;
    std::optional<weir::editor::PortRef> m_pressedPort;
    QSet<QString> m_selectedBefore;
    QString m_hoveredBlock;
    std::optional<weir::editor::Connection> m_hoveredWire;
    QString m_connectionHint;
    QStringList m_acceptingPorts;
};
