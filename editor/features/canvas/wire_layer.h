#pragma once

#include "features/canvas/canvas_style.h"
#include "features/canvas/graph_view.h"
#include "features/canvas/picture_cache.h"
#include "features/canvas/scene_painter.h"

#include <QtQml/qqmlregistration.h>
#include <QPointer>
#include <QQuickPaintedItem>

namespace weir::editor {

/// Grid, frames, groups, every wire, notes, and blocks that are too small for detail, painted in one item: this also draws
/// where shaders do not, and stays one texture. What rests comes from a picture; what is hovered, chosen or dragged goes on
/// top of it each time.
class WireLayer : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::GraphView* view READ view WRITE setView NOTIFY viewChanged REQUIRED)
    Q_PROPERTY(QVariantMap colors READ colors WRITE setColors NOTIFY styleChanged)
    /// Item types have no colours.
    Q_PROPERTY(bool plain READ isPlain WRITE setPlain NOTIFY styleChanged)
    Q_PROPERTY(QVariantMap wireMarks READ wireMarks WRITE setWireMarks NOTIFY styleChanged)
    Q_PROPERTY(QVariantMap blockColors READ blockColors WRITE setBlockColors NOTIFY styleChanged)
    /// A run is going on.
    Q_PROPERTY(bool running READ isRunning WRITE setRunning NOTIFY styleChanged)

  public:
    explicit WireLayer(QQuickItem* parent = nullptr);

    GraphView* view() const { return m_view; }
    void setView(GraphView* view);
    void paint(QPainter* painter) override;

    QVariantMap colors() const { return m_colors; }
    void setColors(const QVariantMap& colors);
    bool isPlain() const { return m_style.plain; }
    void setPlain(bool plain) { setStyle(m_style.plain, plain); }
    QVariantMap wireMarks() const { return m_style.wireMarks; }
    void setWireMarks(const QVariantMap& marks) { setStyle(m_style.wireMarks, marks); }
    QVariantMap blockColors() const { return m_style.blockColors; }
    void setBlockColors(const QVariantMap& colors) { setStyle(m_style.blockColors, colors); }
    bool isRunning() const { return m_blockMarks.running; }
    void setRunning(bool running) { setStyle(m_blockMarks.running, running); }

  signals:
    void viewChanged();
    void styleChanged();

  private:
    template <typename Part> void setStyle(Part& part, const Part& value) {
        if (part == value) return;
        part = value;
        repaintAll();
        emit styleChanged();
    }
    void repaintAll();
    void followEditor();
    void collectProblems();
    void paintPicture(QPainter& painter, const ViewTransform& view);
    void paintChosen(QPainter& painter, const ScenePainter& scene) const;
    void paintPendingWire(QPainter& painter) const;
    void paintWithoutItems(QPainter& painter, const ScenePainter& scene) const;
    bool isHeavy() const;

    QPointer<GraphView> m_view;
    QVariantMap m_colors;
    CanvasStyle m_style;
    WirePainter::Marks m_marks;
    BlockPainter::Marks m_blockMarks;
    MoveSet m_dragged;
    PictureCache m_picture;
};

}  // namespace weir::editor
