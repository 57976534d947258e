#pragma once

#include "features/canvas/canvas_style.h"
#include "features/canvas/graph_view.h"
#include "features/canvas/picture_cache.h"
#include "features/canvas/scene_painter.h"

#include <QtQml/qqmlregistration.h>
#include <QPointer>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Layer with grid, frames, groups, all wires, notes, and blocks too small for detail, painted in one item: it works
/// without shaders and needs one texture. Resting parts come from a picture; hovered, selected or dragged parts are
/// painted over it each time.
class WireLayer : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::GraphView* view MEMBER m_view NOTIFY viewChanged REQUIRED)
    Q_PROPERTY(QVariantMap colors MEMBER m_colors NOTIFY styleChanged)
    /// True if item types have no colours.
    Q_PROPERTY(bool plain MEMBER m_plain NOTIFY styleChanged)
    Q_PROPERTY(QVariantMap wireMarks MEMBER m_wireMarks NOTIFY styleChanged)
    Q_PROPERTY(QVariantMap blockColors MEMBER m_blockColors NOTIFY styleChanged)
    /// True during a run.
    Q_PROPERTY(bool running MEMBER m_running NOTIFY styleChanged)

  public:
    explicit WireLayer(QQuickItem* parent = nullptr);

    void paint(QPainter* painter) override;

  signals:
    void viewChanged();
    void styleChanged();

  private:
    void repaintAll();
    void takeStyle();
    void followView();
    void followEditor();
    void collectProblems();
    void paintPicture(QPainter& painter, const ViewTransform& view);
    void paintChosen(QPainter& painter, const ScenePainter& scene) const;
    void paintPendingWire(QPainter& painter) const;
    void paintWithoutItems(QPainter& painter, const ScenePainter& scene) const;
    bool isHeavy() const;

    QPointer<GraphView> m_view;
    QVariantMap m_colors, m_wireMarks, m_blockColors;
    bool m_plain = false, m_running = false;
    CanvasStyle m_style;
    WirePainter::Marks m_marks;
    BlockPainter::Marks m_blockMarks;
    MoveSet m_dragged;
    PictureCache m_picture;
};

}  // namespace weir::editor
