#pragma once

#include "features/canvas/canvas_gestures.h"
#include "features/canvas/canvas_tools.h"
#include "features/canvas/key_walk.h"
#include "features/canvas/view_transform.h"
#include "shell/session/session.h"

#include <QtQml/qqmlregistration.h>
#include <QQuickItem>
#include <QTimer>
#include <QVariantAnimation>

#include <optional>

namespace weir::editor {

/// Canvas that shows a part of the scene at a zoom. One item takes all events, so gestures do not depend on how many
/// blocks there are or how they are drawn.
class GraphView : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::CanvasTools* tools READ tools WRITE setTools NOTIFY toolsChanged REQUIRED)
    Q_PROPERTY(qreal zoom READ zoom NOTIFY viewChanged)
    Q_PROPERTY(bool detailed READ isDetailed NOTIFY viewChanged)
    Q_PROPERTY(qreal offsetX READ offsetX NOTIFY viewChanged)
    Q_PROPERTY(qreal offsetY READ offsetY NOTIFY viewChanged)
    Q_PROPERTY(QString hoveredBlock READ hoveredBlock NOTIFY hoverChanged)
    Q_PROPERTY(QString hoveredWireKey READ hoveredWireKey NOTIFY hoverChanged)
    Q_PROPERTY(bool overDropTarget READ isOverDropTarget NOTIFY hoverChanged)
    Q_PROPERTY(QString landingBlock READ landingBlock NOTIFY hoverChanged)
    Q_PROPERTY(QRectF selectionBox READ selectionBox NOTIFY gestureChanged)
    Q_PROPERTY(bool connecting READ isConnecting NOTIFY gestureChanged)
    Q_PROPERTY(QString connectionHint READ connectionHint NOTIFY gestureChanged)
    Q_PROPERTY(QPointF pointer READ pointer NOTIFY gestureChanged)
    /// True if the last action here was made by key.
    Q_PROPERTY(bool usesKeys READ usesKeys NOTIFY focusFrameChanged)
    /// Effect of the Tab key, in words; empty if it leaves the canvas, or while no keys are used.
    Q_PROPERTY(QString tabWords READ tabWords NOTIFY tabWordsChanged)
    Q_PROPERTY(QRectF focusFrame READ focusFrame NOTIFY focusFrameChanged)
    /// Pixels at the bottom that are covered: the whole graph is fitted above them.
    Q_PROPERTY(qreal covered READ covered WRITE setCovered NOTIFY coveredChanged)
    /// Duration of a glide of the view in milliseconds; 0: it jumps.
    Q_PROPERTY(int motion MEMBER m_motion)
    Q_PROPERTY(QString announcement READ announcement NOTIFY gestureChanged)
    Q_PROPERTY(QStringList acceptingPorts READ acceptingPorts NOTIFY connectingChanged)

  public:
    explicit GraphView(QQuickItem* parent = nullptr);

    CanvasTools* tools() const { return m_tools; }
    void setTools(CanvasTools* tools);
    Session* session() const { return m_tools ? &m_tools->session() : nullptr; }
    qreal zoom() const { return m_zoom; }
    /// Return false at small zooms, where blocks are painted with the wires instead of being items.
    bool isDetailed() const;
    /// Return true while the wheel turns: expensive parts are stretched, and redrawn when it rests.
    bool isZooming() const { return m_isTurning; }
    /// Return true if later frames have nothing left to draw.
    bool isAtRest() const { return !isZooming() && !m_filling && !m_isGliding; }
    qreal offsetX() const { return m_offset.x(); }
    qreal offsetY() const { return m_offset.y(); }
    QString hoveredBlock() const { return m_gestures->hoveredBlock(); }
    /// Return "src.out->dst.in" of the wire under the pointer, or empty.
    QString hoveredWireKey() const {
        const auto wire = hoveredWire();
        return wire ? QString::fromStdString(decor::wireKey(*wire)) : QString();
    }
    std::optional<Connection> hoveredWire() const { return m_gestures->hoveredWire(); }
    /// True if the dragged block would go into the hovered wire.
    bool isOverDropTarget() const { return m_gestures->isOverDropTarget(); }
    /// Return the block that would go into the wire and must not hide it; empty for one from the palette.
    QString landingBlock() const { return m_gestures->landingBlock(); }
    QRectF selectionBox() const { return m_gestures->selectionBox(); }
    bool isConnecting() const { return m_gestures->isConnecting(); }
    QString connectionHint() const { return m_gestures->connectionHint(); }
    QPointF pointer() const { return m_gestures->pointer(); }
    QStringList acceptingPorts() const { return m_gestures->acceptingPorts(); }
    CanvasGestures& gestures() const { return *m_gestures; }
    /// Return the block that has the keyboard focus; empty if none.
    QString walkedBlock() const { return m_walk ? m_walk->at() : QString(); }
    /// Return its bounds, in view coordinates; empty without one, and while the pointer is used.
    QRectF focusFrame() const;
    QString tabWords() const;
    bool usesKeys() const { return m_usesKeys; }
    QString announcement() const { return m_gestures->keyConnection().description(); }

    qreal covered() const { return m_covered; }
    void setCovered(qreal covered);

    QPointF toScene(QPointF point) const { return (point - m_offset) / m_zoom; }
    QPointF toView(QPointF point) const { return point * m_zoom + m_offset; }
    /// Return the QML files of all overlays.
    Q_INVOKABLE static QStringList overlayFiles();
    Q_INVOKABLE QPointF sceneAt(qreal x, qreal y) const { return toScene({x, y}); }

    void panBy(QPointF offset) { setView(m_offset + offset, m_zoom, Pace::Gesture); }
    /// Handle a block type dragged in from outside, in coordinates of the view.
    Q_INVOKABLE void dragOver(const QString& type, qreal x, qreal y) { m_gestures->dragOver(type, {x, y}); }
    Q_INVOKABLE void drop(const QString& type, qreal x, qreal y) { m_gestures->drop(type, {x, y}); }
    Q_INVOKABLE QPointF viewAt(QPointF place) const { return toView(place); }
    Q_INVOKABLE void zoomBy(qreal factor);
    Q_INVOKABLE void resetZoom();
    Q_INVOKABLE void fit();
    Q_INVOKABLE void reveal(const QString& block);
    Q_INVOKABLE QRectF selectedRect() const;
    /// Return the bounds of all blocks with everything drawn around them, in pixels, once the view rests.
    Q_INVOKABLE QRectF drawnRect() const { return drawnBounds(shownPlace()); }
    /// Return the number of blocks under a rectangle of the view.
    Q_INVOKABLE int blocksUnder(QRectF place) const;
    /// Return whether the whole graph fits at half of its present size or more.
    Q_INVOKABLE bool isNearlyAll() const;
    /// Move the view to centre this point of the scene.
    void centerOn(QPointF scene);

  signals:
    void toolsChanged();
    void viewChanged();
    /// Emitted when more blocks have items, or the wheel rests.
    void itemsChanged();
    void hoverChanged();
    void gestureChanged();
    void connectingChanged();
    void menuRequested(QPointF position);
    void focusFrameChanged();
    void tabWordsChanged();
    /// Emitted when the keyboard focus moves to another block, or to none.
    void walked();
    void coveredChanged();

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override;
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;
    void itemChange(ItemChange change, const ItemChangeData& data) override;
    void updatePolish() override;

  private:
    static constexpr qreal kZoomStep = 1.2;
    static constexpr qreal kMinimumZoom = 0.05;
    static constexpr qreal kFitMargin = 20;  ///< pixels, for rings and pills around blocks

    /// Delay of items for blocks that come into view: made at once, or some frames later.
    enum class Pace { AtOnce, Gesture };

    void setUsesKeys(bool keys);
    void insertFromKeyboard(bool byKeys);
    /// Effect of Tab: it inserts if nothing is selected or the signal ends; else it goes to the next block.
    enum class TabKey { Inserts, Walks, Leaves };
    TabKey tabDoes() const;
    QString insertsAfter(bool byKeys) const;
    void zoomAt(QPointF fixed, qreal factor);
    void setView(QPointF offset, qreal zoom, Pace pace = Pace::AtOnce);
    void moveView(QPointF offset, qreal zoom, Pace pace);
    /// Show the whole graph as large as possible, without a glide: the user did not ask to move.
    void showAll();
    void fitAgain();
    void keepVisible(const QRectF& before);
    void followSize();
    QRectF room() const { return {0, 0, width(), height() - m_covered}; }
    QRectF graphBounds() const;
    QRectF drawnRect(const BlockView& block, const ViewTransform& place) const;
    QRectF drawnBounds(const ViewTransform& place) const;
    /// View after the end of the glide.
    ViewTransform shownPlace() const { return m_isGliding ? m_goal : ViewTransform{m_offset, m_zoom}; }
    ViewTransform wholeGraph() const;
    ViewTransform wholeGraph(qreal height) const;
    void glideTo(const ViewTransform& place);
    void updateRegion();
    void showItems(Pace pace);

    CanvasTools* m_tools = nullptr;
    QPointF m_offset;
    QRectF m_region;
    qreal m_zoom = 1;
    qreal m_covered = 0;
    bool m_fitWhenSized = true;
    std::optional<QRectF> m_fitted;  ///< bounds of everything when everything was shown
    QRectF m_room;  ///< uncovered part of the view when it was last visible
    QSizeF m_placedIn;  ///< size of the view when everything was shown
    int m_motion = 0;
    QVariantAnimation m_glide;
    /// State of the animation and the timer. If QML read their properties while it places an item, they would become
    /// dependencies of the place. Qt 6.4 crashes if one of more than four dependencies changes during the evaluation.
    bool m_isGliding = false, m_isTurning = false;
    ViewTransform m_goal;  ///< end of the glide
    CanvasGestures* m_gestures;
    KeyWalk* m_walk = nullptr;
    bool m_usesKeys = false;
    QTimer m_rest;
    bool m_filling = false;
};

}  // namespace weir::editor
