#include "features/canvas/wire_layer.h"

#include "core/document/project_places.h"
#include "core/graph/wire_geometry.h"
#include "core/look/look.h"

#include <QPainter>
#include <QQuickWindow>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kHeavyParts = 600;   ///< more visible parts are not repainted at each step of a zoom
constexpr int kMaximumTitles = 60; ///< of blocks at small zooms: more would overlap

int problemConnection(const QString& pointer) {
    static const QString connections = QString::fromStdString(kGraph.connections.to_string()) + u'/';
    if (!pointer.startsWith(connections)) return -1;
    bool number = false;
    const int index = pointer.mid(connections.size()).section(u'/', 0, 0).toInt(&number);
    return number ? index : -1;
}

} // namespace

WireLayer::WireLayer(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    setOpaquePainting(true);
    connect(this, &WireLayer::styleChanged, this, &WireLayer::takeStyle);
    connect(this, &WireLayer::viewChanged, this, &WireLayer::followView);
}

void WireLayer::takeStyle() {
    m_style.take(m_colors);
    m_style.plain = m_plain;
    m_style.wireMarks = m_wireMarks;
    m_style.blockColors = m_blockColors;
    m_blockMarks.running = m_running;
    repaintAll();
}

void WireLayer::repaintAll() {
    m_picture.invalidate();
    update();
}

void WireLayer::followView() {
    for (const auto change :
         {&GraphView::viewChanged, &GraphView::itemsChanged, &GraphView::gestureChanged, &GraphView::hoverChanged})
        connect(m_view, change, this, [this] { update(); });
    connect(m_view, &GraphView::toolsChanged, this, &WireLayer::followEditor);
    followEditor();
}

void WireLayer::followEditor() {
    if (!m_view || !m_view->session()) return;
    Session& session = *m_view->session();
    connect(&session.scene(), &GraphScene::changed, this, &WireLayer::repaintAll);
    connect(&session.scene(), &GraphScene::moved, this, [this] {
        // Dragged parts are removed from the picture when they start to move, and put back at the end.
        const MoveSet& dragged = m_view->session()->scene().dragged();
        if (dragged.isEmpty() || dragged != m_dragged) m_picture.invalidate();
        m_dragged = dragged;
        update();
    });
    connect(&session.selection(), &Selection::changed, this, [this] { update(); });
    connect(&session, &Session::problemsChanged, this, &WireLayer::collectProblems);
    collectProblems();
}

void WireLayer::collectProblems() {
    WirePainter::Marks marks;
    QHash<QString, QString> blocks;
    for (const Problem& problem : m_view->session()->problemModel().problems()) {
        if (const int index = problemConnection(problem.pointer);
            index >= 0 && marks.problems.value(index) != QLatin1String("error"))
            marks.problems.insert(index, problem.severity);
        // The worst problem comes first.
        for (const QString& block : problem.others + QStringList(problem.block))
            if (!blocks.contains(block)) blocks.insert(block, problem.severity);
    }
    if (marks.problems == m_marks.problems && blocks == m_blockMarks.severities) return;
    m_marks = marks;
    m_blockMarks.severities = blocks;
    repaintAll();
}

bool WireLayer::isHeavy() const {
    const QRectF shown(m_view->toScene({0, 0}), m_view->toScene({width(), height()}));
    const GraphScene& scene = m_view->session()->scene();
    const auto isShown = [&shown](const WireView& wire) { return wire.bounds.intersects(shown); };
    return std::count_if(scene.wires().begin(), scene.wires().end(), isShown) > kHeavyParts;
}

void WireLayer::paint(QPainter* painter) {
    if (!m_view || !m_view->session()) return;
    const ViewTransform view{{m_view->offsetX(), m_view->offsetY()}, m_view->zoom()};
    paintPicture(*painter, view);
    painter->setRenderHint(QPainter::Antialiasing);
    const ScenePainter scene(m_view->session()->scene(), m_style, view, m_marks, m_blockMarks);
    scene.paintMoving(*painter, QRectF(0, 0, width(), height()));
    paintWithoutItems(*painter, scene);
    paintChosen(*painter, scene);
    paintPendingWire(*painter);
}

void WireLayer::paintPicture(QPainter& painter, const ViewTransform& view) {
    const QSize size(qCeil(width()), qCeil(height()));
    if (m_view->isZooming() && !m_picture.isEmpty() && !m_picture.isValidFor(view) && isHeavy()) {
        m_picture.drawStretched(painter, view, size, m_style.canvas);
        return;
    }
    // Use the window's pixel ratio: the painter's device reports 1 and is scaled.
    m_picture.draw(
        painter, view, size, window() ? window()->effectiveDevicePixelRatio() : 1,
        [this](QPainter& part, const ViewTransform& at, const QRectF& area) {
            ScenePainter(m_view->session()->scene(), m_style, at, m_marks, m_blockMarks).paintResting(part, area);
        });
}

/// Paint blocks without an item yet, and blocks that the picture of another zoom lacks.
void WireLayer::paintWithoutItems(QPainter& painter, const ScenePainter& scene) const {
    if (m_picture.zoom() < zoom::kFar) return;
    const QRectF shown(m_view->toScene({0, 0}), m_view->toScene({width(), height()}));
    for (const BlockView& block : m_view->session()->scene().blocks())
        if (block.rect.intersects(shown) && !m_view->session()->blockModel().isShown(block.id))
            scene.blocks().paint(painter, block);
}

void WireLayer::paintChosen(QPainter& painter, const ScenePainter& scene) const {
    const GraphScene& graph = m_view->session()->scene();
    const Selection& selection = m_view->session()->selection();
    if (const auto hovered = m_view->hoveredWire(); hovered && !selection.wires().contains(*hovered))
        if (const WireView* wire = graph.wire(decor::wireKey(*hovered))) scene.wires().paintHovered(painter, *wire);
    if (!selection.wires().empty())
        for (const WireView& wire : graph.wires())
            if (selection.wires().contains(wire.connection)) scene.wires().paintSelected(painter, wire);
    for (const DecorId& part : selection.decor()) {
        if (part.kind == DecorKind::Point) {
            const WireView* wire = graph.wire(part.key);
            if (wire && part.index < wire->via.size()) scene.wires().paintPoint(painter, wire->via[part.index], true);
        } else if (const auto rect = graph.rectOf(part)) {
            scene.paintDecorSelection(painter, *rect, true);
        }
    }
    if (m_view->isDetailed()) return;
    int titles = 0;
    for (const QString& id : selection.blocks())
        if (const BlockView* block = graph.block(id); block && titles++ < kMaximumTitles)
            scene.blocks().paintTitle(painter, *block, true);
    if (const BlockView* block = graph.block(m_view->hoveredBlock()); block && !selection.blocks().contains(block->id))
        scene.blocks().paintTitle(painter, *block, false);
}

void WireLayer::paintPendingWire(QPainter& painter) const {
    const auto wire = m_view->gestures().pendingWire();
    if (!wire) return;
    const bool refused = !m_view->connectionHint().isEmpty();
    const QColor color = refused ? m_style.error : m_style.type(m_view->gestures().pendingType());
    painter.strokePath(geometry::wirePath(wire->first, wire->second),
                       QPen(color, look().wire.width, refused ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
}

} // namespace weir::editor
