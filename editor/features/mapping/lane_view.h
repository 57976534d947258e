#pragma once

#include "features/mapping/mapping_controller.h"

#include <QtQml/qqmlregistration.h>
#include <QQuickItem>
#include <QTimer>

#include <optional>
#include <vector>

namespace weir::editor {

/// Lanes as the user operates them: turns pointer and keys into selections and drops. One item takes all events, so
/// gestures do not depend on how many bars there are or how they are drawn.
class LaneView : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::MappingController* mapping READ mapping WRITE setMapping NOTIFY mappingChanged REQUIRED)
    Q_PROPERTY(qreal scrollY READ scrollY WRITE setScrollY NOTIFY scrolled)
    Q_PROPERTY(qreal contentHeight READ contentHeight NOTIFY scrolled)
    Q_PROPERTY(bool dragging READ isDragging NOTIFY gestureChanged)
    Q_PROPERTY(QString dragText READ dragText NOTIFY gestureChanged)
    Q_PROPERTY(bool refused READ isRefused NOTIFY gestureChanged)
    Q_PROPERTY(QPointF pointer READ pointer NOTIFY gestureChanged)
    Q_PROPERTY(QRectF targetRect READ targetRect NOTIFY gestureChanged)
    Q_PROPERTY(QRectF currentRect READ currentRect NOTIFY currentChanged)
    Q_PROPERTY(QString currentName READ currentName NOTIFY currentChanged)
    Q_PROPERTY(QString hoverText READ hoverText NOTIFY hoverChanged)
    Q_PROPERTY(QPointF hoverPoint READ hoverPoint NOTIFY hoverChanged)

  public:
    explicit LaneView(QQuickItem* parent = nullptr);

    MappingController* mapping() const { return m_mapping; }
    void setMapping(MappingController* mapping);
    qreal scrollY() const { return m_scrollY; }
    void setScrollY(qreal y);
    qreal contentHeight() const;
    bool isDragging() const { return m_dragging; }
    QString dragText() const { return m_dragText; }
    bool isRefused() const { return m_refused; }
    QPointF pointer() const { return m_pointer; }
    QRectF targetRect() const { return m_targetRect; }
    QRectF currentRect() const;
    QString currentName() const;
    QString hoverText() const { return m_hoverText; }
    QPointF hoverPoint() const { return m_hoverPoint; }

    /// Return the target under a point of the view.
    DropTarget targetAt(QPointF point, QRectF* rect = nullptr) const;

    /// Request the menu of the worker whose name has the focus, else of the selected bars. Scrolls the name or a bar
    /// into view; the menu opens below it. Does nothing without focus and selection.
    Q_INVOKABLE void openMenu();

  signals:
    void mappingChanged();
    void scrolled();
    void gestureChanged();
    void currentChanged();
    void hoverChanged();
    void menuRequested(qreal x, qreal y);
    void blockOpened(const QString& block);

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override { cancel(); }
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;

  private:
    /// Target of the arrow keys: a bar, the name of a worker, or another part of a schedule.
    struct Stop {
        QRectF rect = {};
        QStringList instances = {};
        QString worker = {};
        QString part = {};
        int call = -1;
    };

    QPointF toContent(QPointF point) const { return point + QPointF(0, m_scrollY); }
    const LaneBar* barAt(QPointF content) const;
    const LanePart* partAt(QPointF content) const;
    QString workerLabelAt(QPointF content) const;
    void drag(QPointF point);
    void scrollAtEdge(bool isThere);
    void cancel();
    void follow();
    void updateRegion();
    void reveal(const QRectF& rect);
    void selectBar(const LaneBar& bar, bool add);
    void selectPart(const LanePart& part, bool add);
    QSet<QString> selectionWith(const QStringList& instances, bool add) const;
    void setCurrent(const Stop& stop);
    const LanePart* currentPart() const;
    const LaneBar* current() const;
    QRectF currentPlace() const;
    QRectF workerPlace(const QString& worker) const;
    void walk(int key, Qt::KeyboardModifiers modifiers);
    std::vector<Stop> stops(bool withWorkers) const;
    std::optional<Stop> neighbour(int key, const std::vector<Stop>& stops) const;
    QSet<QString> fromAnchor() const;
    void moveToNeighbour(bool down);
    /// Return how far a drag scrolls in each tick: 0 unless the pointer is at an edge.
    qreal edgeStep() const;

    MappingController* m_mapping = nullptr;
    qreal m_scrollY = 0;
    bool m_pressed = false;
    bool m_dragging = false;
    bool m_refused = false;
    bool m_narrow = false;  ///< a click on one of several selected bars selects it alone; a drag moves all
    QPointF m_pressPoint;
    QPointF m_pointer;
    QTimer m_scrollTick;
    bool m_isAtEdge = false;  ///< the pointer, while it drags
    QString m_dragText;
    QString m_draggedWorker;
    QRectF m_targetRect;
    Stop m_current;  ///< stop with the keyboard focus; its position may be outdated
    QStringList m_anchor;  ///< bar where a selection with Shift begins
    QString m_hoverText;
    QPointF m_hoverPoint;
};

}  // namespace weir::editor
