#pragma once

#include "core/graph/graph_scene.h"
#include "features/canvas/connect_gesture.h"
#include "features/canvas/key_connection.h"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QSet>
#include <QStringList>

#include <optional>

class QMouseEvent;

namespace weir::editor {

class CanvasTools;
class Session;
class GraphView;

/// Gestures of the pointer on the canvas: selecting, moving, connecting and panning, from the press to the release.
class CanvasGestures : public QObject {
    Q_OBJECT

  public:
    explicit CanvasGestures(GraphView& view);

    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    /// On a wire, add a point. On a frame, a note or the title of a group, edit the text. Elsewhere, open the insert
    /// popup.
    void doubleClick(const QMouseEvent& event);
    void cancel();
    /// Return whether a click on a port began a wire: it follows the pointer until a click on another port connects
    /// them.
    bool isWireClicked() const { return m_wireClicked; }
    void hover(QPointF position);
    /// Handle a block type dragged over the canvas: highlight the wire that it would go into.
    void dragOver(const QString& type, QPointF position);
    void drop(const QString& type, QPointF position);
    KeyConnection& keyConnection() { return *m_keys; }
    /// While this key is held, the left button pans.
    void setPanKeyHeld(bool held) { m_panKeyHeld = held; }

    bool isIdle() const { return m_gesture == Gesture::None; }
    bool isConnecting() const { return m_gesture == Gesture::Connect || m_keys->isActive(); }
    QPointF pointer() const { return m_pointer; }
    QRectF selectionBox() const;
    QString connectionHint() const { return m_connect.hint(); }
    QStringList acceptingPorts() const { return m_acceptingPorts; }
    /// Return the wire that follows the pointer, in view coordinates, and its item type.
    std::optional<std::pair<QPointF, QPointF>> pendingWire() const;
    QString pendingType() const;
    QString hoveredBlock() const { return m_hoveredBlock; }
    std::optional<Connection> hoveredWire() const { return m_hoveredWire; }
    /// Return whether the dragged block would go into the hovered wire.
    bool isOverDropTarget() const { return m_hoveredWire && m_isDropTarget; }
    QString landingBlock() const {
        return isOverDropTarget() && m_gesture == Gesture::Move ? m_pressedBlock : QString();
    }

  signals:
    void changed();
    void connectingChanged();
    void hoverChanged();
    /// Emitted after a right click selected what it hit.
    void menuRequested(QPointF position);

  private:
    static constexpr qreal kWireReach = 6;  ///< pixels

    enum class Gesture { None, Pressed, Move, Resize, Box, Connect, Pan };

    Session& session() const;
    CanvasTools& tools() const;
    void pressLeft(Qt::KeyboardModifiers modifiers);
    std::optional<DecorId> partAt(QPointF point) const;
    const GroupView* groupAt(QPointF point) const;
    void pressGroup(const GroupView& group, bool additive);
    bool movesOnlyPoints() const;
    QRectF resizedRect() const;
    void start();
    void startWire();
    bool finishClickedWire(bool clicks);
    void end(Qt::KeyboardModifiers modifiers);
    void setGesture(Gesture gesture);
    void selectInBox();
    void followMove(Qt::KeyboardModifiers modifiers);
    void requestMenu();
    std::optional<PortRef> fixedPort() const;
    void setAcceptingPorts(const QList<PortRef>& ports);
    void setHovered(const QString& block, const std::optional<Connection>& wire, bool isDropTarget = false);
    QPointF snappedOffset(Qt::KeyboardModifiers modifiers) const;
    std::optional<PortRef> portNear(QPointF position) const;

    GraphView& m_view;
    KeyConnection* m_keys;
    ConnectGesture m_connect;
    Gesture m_gesture = Gesture::None;
    bool m_wireClicked = false;
    bool m_panKeyHeld = false;
    QPointF m_pressed;
    QPointF m_pointer{-1, -1};  ///< position in the view; outside the view before the first move
    QString m_pressedBlock;
    QSet<QString> m_pressedGroup;  ///< blocks of the pressed group
    std::optional<PortRef> m_pressedPort;
    std::optional<DecorId> m_pressedPart;
    bool m_resizing = false;
    QRectF m_resizeFrom;
    MoveSet m_moved;
    bool m_menuOnRelease = false;
    QSet<QString> m_selectedBefore;
    std::set<DecorId> m_partsBefore;
    QString m_hoveredBlock;
    std::optional<Connection> m_hoveredWire;
    bool m_isDropTarget = false;
    QStringList m_acceptingPorts;
};

}  // namespace weir::editor
