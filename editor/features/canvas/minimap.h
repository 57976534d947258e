#pragma once

#include "features/canvas/canvas_style.h"
#include "features/canvas/graph_view.h"

#include <QtQml/qqmlregistration.h>
#include <QImage>
#include <QPointer>
#include <QQuickPaintedItem>
#include <QVariantMap>

namespace weir::editor {

/// Map of the whole flowgraph with the part that the canvas shows. A click or a drag moves the view there.
class Minimap : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::GraphView* view MEMBER m_view NOTIFY viewChanged REQUIRED)
    /// True if the graph is larger than the view.
    Q_PROPERTY(bool exceeding READ isExceeding NOTIFY exceedingChanged)
    Q_PROPERTY(QVariantMap colors MEMBER m_colors NOTIFY styleChanged)
    /// block -> colour, such as its load or worker, instead of the category's.
    Q_PROPERTY(QVariantMap blockColors MEMBER m_blockColors NOTIFY styleChanged)

  public:
    explicit Minimap(QQuickItem* parent = nullptr);

    bool isExceeding() const { return m_exceeding; }
    void paint(QPainter* painter) override;
    /// Convert from the scene to the map; and return the visible part, on the map.
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
    QRectF m_bounds; ///< bounds of the whole flowgraph, with a margin
    QImage m_blocks;
    bool m_stale = true;
    bool m_exceeding = false;
    QPointF m_grip; ///< vector from the centre of the frame to the point where it was grabbed
};

} // namespace weir::editor
