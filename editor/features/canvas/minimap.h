#pragma once

#include "features/canvas/canvas_style.h"
#include "features/canvas/graph_view.h"

#include <QtQml/qqmlregistration.h>
#include <QImage>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QVariantMap>

namespace weir::editor {

/// The whole flowgraph, small, and the part of it that the canvas shows. A click or a drag takes the view there.
class Minimap : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::GraphView* view MEMBER m_view NOTIFY viewChanged REQUIRED)
    /// True if there is more than the canvas shows.
    Q_PROPERTY(bool exceeding READ isExceeding NOTIFY exceedingChanged)
    Q_PROPERTY(QVariantMap colors MEMBER m_colors NOTIFY styleChanged)
    /// block -> colour, instead of that of its category: its load, its worker.
    Q_PROPERTY(QVariantMap blockColors MEMBER m_blockColors NOTIFY styleChanged)

  public:
    explicit Minimap(QQuickItem* parent = nullptr);

    bool isExceeding() const { return m_exceeding; }
    void paint(QPainter* painter) override;
    /// From the scene to the map, and what the canvas shows, on the map.
    QPointF toMap(QPointF scene) const;
    QRectF shownOnMap() const;

  signals:
    void viewChanged();
    void exceedingChanged();
    void styleChanged();

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) override;

  private:
    void followView();
    void followEditor();
    void updateScene();
    void updateShown();
    void paintBlocks(qreal pixelRatio);
    void showAt(QPointF place);
    QRectF shown() const;

    QPointer<GraphView> m_view;
    QVariantMap m_colors, m_blockColors;
    CanvasStyle m_style;
    QRectF m_bounds; ///< of everything, with a margin
    QImage m_blocks;
    bool m_stale = true;
    bool m_exceeding = false;
    QPointF m_grip; ///< from the middle of the frame to where it was taken
};

} // namespace weir::editor
