#include "graph_view.h"

#include "node_geometry.h"

#include <QCursor>
#include <QGuiApplication>
#include <QStyleHints>

#include <algorithm>
#include <cmath>

using namespace weir::editor;

namespace {

constexpr qreal kMinimumZoom = 0.05;
constexpr qreal kDetailZoom = 0.45;
constexpr qreal kMaximumZoom = 4;
constexpr qreal kZoomStep = 1.2;
constexpr qreal kFitMargin = 60;
constexpr qreal kPortReach = 12;
constexpr qreal kDropReach = 24;
constexpr qreal kWireReach = 6;

QString portKey(const PortRef &port)
{
    return QStringLiteral("%1%2%3").arg(port.block, port.output ? QStringLiteral(">") : QStringLiteral("<"), port.port);
}

} // namespace

GraphView::GraphView(QQuickItem *parent) : QQuickItem(parent)
{
    setAcceptedMouseButtons(Qt::LeftButton | Qt::MiddleButton | Qt::RightButton);
    setAcceptHoverEvents(true);
    setFlag(ItemIsFocusScope, false);
    setActiveFocusOnTab(true);
    setClip(true);
}

void GraphView::setEditor(Editor *editor)
{
    if (m_editor == editor)
        return;
    m_editor = editor;
    connect(editor, &Editor::documentReplaced, this, [this] {
        cancelGesture();
        fit();
    });
    connect(editor, &Editor::catalogChanged, this, &GraphView::fit);
    connect(editor, &Editor::revealRequested, this, &GraphView::reveal);
    emit editorChanged();
}

std::optional<PortRef> GraphView::portNear(QPointF position) const
{
    return m_editor->scene().portAt(toScene(position), (isConnecting() ? kDropReach : kPortReach) / std::max(m_zoom, 0.5));
}

void GraphView::mousePressEvent(QMouseEvent *event)
{
    forceActiveFocus(Qt::MouseFocusReason);
    m_pressed = m_pointer = event->position();
    if (event->button() == Qt::LeftButton && !m_spaceHeld)
        pressLeft(event);
    else
        setGesture(Gesture::Pan);
}

void GraphView::pressLeft(QMouseEvent *event)
{
    const QPointF point = toScene(m_pressed);
    const bool additive = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    Selection &selection = m_editor->selection();
    m_pressedPort = portNear(m_pressed);
    m_pressedBlock.clear();
    m_selectedBefore = additive ? selection.blocks() : QSet<QString>();
    setGesture(Gesture::Pressed);
    if (m_pressedPort)
        return;
    if (const BlockView *block = m_editor->scene().blockAt(point)) {
        m_pressedBlock = block->id;
        if (additive)
            selection.toggleBlock(block->id);
        else if (!selection.blocks().contains(block->id))
            selection.set({block->id});
    } else if (const WireView *wire = m_editor->scene().wireAt(point, kWireReach / m_zoom)) {
        if (additive)
            selection.toggleWire(wire->connection);
        else
            selection.set({}, {wire->connection});
    } else if (!additive) {
        selection.clear();
    }
}

void GraphView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF previous = std::exchange(m_pointer, event->position());
    if (m_gesture == Gesture::Pressed
        && (m_pointer - m_pressed).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance())
        startGesture();

    if (m_gesture == Gesture::Pan)
        setView(m_offset + m_pointer - previous, m_zoom);
    else if (m_gesture == Gesture::Move)
        m_editor->scene().setDragOffset(m_editor->selection().blocks(), snappedOffset(event->modifiers()));
    else if (m_gesture == Gesture::Box)
        selectInBox();
    else if (m_gesture == Gesture::Connect)
        updateConnectionHint();
    emit gestureChanged();
}

void GraphView::startGesture()
{
    if (m_pressedPort) {
        setGesture(Gesture::Connect);
        m_acceptingPorts = portsThatAccept(*m_pressedPort);
        emit connectingChanged();
    } else if (m_pressedBlock.isEmpty()) {
        setGesture(Gesture::Box);
    } else if (m_editor->selection().blocks().contains(m_pressedBlock)) {
        setGesture(Gesture::Move);
    }
}

void GraphView::mouseReleaseEvent(QMouseEvent *event)
{
    m_pointer = event->position();
    endGesture(event->modifiers());
}

void GraphView::endGesture(Qt::KeyboardModifiers modifiers)
{
    const Gesture gesture = m_gesture;
    const auto port = m_pressedPort;
    const auto target = gesture == Gesture::Connect ? portNear(m_pointer) : std::nullopt;
    const QPointF offset = gesture == Gesture::Move ? snappedOffset(modifiers) : QPointF();
    if (gesture == Gesture::Pressed && !m_pressedPort && !m_pressedBlock.isEmpty() && modifiers == Qt::NoModifier)
        m_editor->selection().set({m_pressedBlock});
    cancelGesture();
    if (gesture == Gesture::Move)
        m_editor->moveSelection(offset, false);
    else if (target && *target != *port)
        m_editor->connectPorts(*port, *target);
}

void GraphView::cancelGesture()
{
    const bool wasConnecting = isConnecting();
    if (m_gesture == Gesture::Move)
        m_editor->scene().clearDragOffset();
    m_pressedPort.reset();
    m_pressedBlock.clear();
    m_connectionHint.clear();
    setGesture(Gesture::None);
    if (wasConnecting) {
        m_acceptingPorts.clear();
        emit connectingChanged();
    }
}

void GraphView::mouseUngrabEvent()
{
    cancelGesture();
}

void GraphView::setGesture(Gesture gesture)
{
    if (m_gesture == gesture)
        return;
    m_gesture = gesture;
    setCursor(gesture == Gesture::Pan ? Qt::ClosedHandCursor : gesture == Gesture::Connect ? Qt::CrossCursor : Qt::ArrowCursor);
    emit gestureChanged();
}

QPointF GraphView::snappedOffset(Qt::KeyboardModifiers modifiers) const
{
    const QPointF raw = (m_pointer - m_pressed) / m_zoom;
    if (modifiers & Qt::AltModifier)
        return raw;
    const auto snap = [](double value) { return std::round(value / geometry::kGrid) * geometry::kGrid; };
    return {snap(raw.x()), snap(raw.y())};
}

QRectF GraphView::selectionBox() const
{
    return m_gesture == Gesture::Box ? QRectF(m_pressed, m_pointer).normalized() : QRectF();
}

void GraphView::selectInBox()
{
    const QRectF box = QRectF(toScene(m_pressed), toScene(m_pointer)).normalized();
    QSet<QString> inside = m_selectedBefore;
    for (const BlockView &block : m_editor->scene().blocks())
        if (box.intersects(block.rect))
            inside.insert(block.id);
    m_editor->selection().set(inside);
}

QStringList GraphView::portsThatAccept(const PortRef &port) const
{
    QStringList accepting{portKey(port)};
    for (const BlockView &block : m_editor->scene().blocks())
        for (const PortView &candidate : port.output ? block.inputs : block.outputs) {
            const PortRef ref{block.id, candidate.id, !port.output};
            if (m_editor->scene().connectionProblem(port, ref).isEmpty())
                accepting.append(portKey(ref));
        }
    return accepting;
}

void GraphView::updateConnectionHint()
{
    const auto target = portNear(m_pointer);
    m_connectionHint = target && *target != *m_pressedPort ? m_editor->scene().connectionProblem(*m_pressedPort, *target) : QString();
}

std::optional<std::pair<QPointF, QPointF>> GraphView::pendingWire() const
{
    if (!isConnecting() || !m_pressedPort)
        return {};
    const QPointF start = toView(m_editor->scene().portPosition(*m_pressedPort));
    return m_pressedPort->output ? std::pair(start, m_pointer) : std::pair(m_pointer, start);
}

QString GraphView::pendingType() const
{
    const BlockView *block = m_pressedPort ? m_editor->scene().block(m_pressedPort->block) : nullptr;
    if (!block)
        return {};
    for (const PortView &port : m_pressedPort->output ? block->outputs : block->inputs)
        if (port.id == m_pressedPort->port)
            return port.itemType;
    return {};
}

void GraphView::hoverMoveEvent(QHoverEvent *event)
{
    hoverAt(event->position());
}

void GraphView::hoverLeaveEvent(QHoverEvent *)
{
    hoverAt({-1e6, -1e6});
}

void GraphView::hoverAt(QPointF position)
{
    const QPointF point = toScene(position);
    const BlockView *block = m_editor->scene().blockAt(point);
    const WireView *wire = block ? nullptr : m_editor->scene().wireAt(point, kWireReach / m_zoom);
    const QString hovered = block ? block->id : QString();
    const auto hoveredWire = wire ? std::optional(wire->connection) : std::nullopt;
    if (hovered == m_hoveredBlock && hoveredWire == m_hoveredWire)
        return;
    m_hoveredBlock = hovered;
    m_hoveredWire = hoveredWire;
    emit hoverChanged();
}

void GraphView::wheelEvent(QWheelEvent *event)
{
    if (event->modifiers() & Qt::ShiftModifier) {
        const int delta = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
        setView(m_offset + QPointF(delta / 2.0, 0), m_zoom);
    } else {
        zoomAt(event->position(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    }
    event->accept();
}

void GraphView::keyPressEvent(QKeyEvent *event)
{
    const auto nudge = [this](double x, double y) { m_editor->moveSelection(QPointF(x, y) * geometry::kGrid, true); };
    switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        m_editor->removeSelection();
        return;
    case Qt::Key_Left:
        nudge(-1, 0);
        return;
    case Qt::Key_Right:
        nudge(1, 0);
        return;
    case Qt::Key_Up:
        nudge(0, -1);
        return;
    case Qt::Key_Down:
        nudge(0, 1);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kZoomStep);
        return;
    case Qt::Key_Minus:
        zoomBy(1 / kZoomStep);
        return;
    case Qt::Key_0:
        fit();
        return;
    case Qt::Key_1:
        resetZoom();
        return;
    case Qt::Key_Space:
        m_spaceHeld = true;
        return;
    case Qt::Key_Escape:
        if (m_gesture == Gesture::None)
            m_editor->selection().clear();
        cancelGesture();
        return;
    default:
        QQuickItem::keyPressEvent(event);
    }
}

void GraphView::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        m_spaceHeld = false;
    else
        QQuickItem::keyReleaseEvent(event);
}

void GraphView::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    if (m_fitWhenSized && m_editor && !newGeometry.isEmpty())
        fit();
    else
        updateRegion();
}

void GraphView::zoomBy(qreal factor)
{
    m_fitWhenSized = false;
    zoomAt(QPointF(width() / 2, height() / 2), factor);
}

void GraphView::resetZoom()
{
    zoomBy(1 / m_zoom);
}

void GraphView::fit()
{
    const QRectF bounds = m_editor->scene().bounds();
    m_fitWhenSized = true;
    if (size().isEmpty())
        return;
    if (bounds.isEmpty()) {
        setView({0, 0}, 1);
        return;
    }
    const QRectF wanted = bounds.adjusted(-kFitMargin, -kFitMargin, kFitMargin, kFitMargin);
    const qreal zoom = std::clamp(std::min(width() / wanted.width(), height() / wanted.height()), kMinimumZoom, 1.0);
    const QPointF offset = QPointF(width() / 2, height() / 2) - bounds.center() * zoom;
    // Whole pixels keep text and one-pixel lines sharp at 100 %.
    setView({std::round(offset.x()), std::round(offset.y())}, zoom);
    m_fitWhenSized = true;
}

void GraphView::reveal(const QString &block)
{
    const BlockView *view = m_editor->scene().block(block);
    if (!view)
        return;
    const QRectF shown(toScene({0, 0}), toScene({width(), height()}));
    if (!shown.contains(view->rect))
        setView(QPointF(width() / 2, height() / 2) - view->rect.center() * m_zoom, m_zoom);
}

void GraphView::zoomAt(QPointF fixed, qreal factor)
{
    const qreal zoom = std::clamp(m_zoom * factor, kMinimumZoom, kMaximumZoom);
    setView(fixed - toScene(fixed) * zoom, zoom);
}

void GraphView::setView(QPointF offset, qreal zoom)
{
    m_fitWhenSized = false;
    m_offset = offset;
    m_zoom = zoom;
    updateRegion();
    emit viewChanged();
}

bool GraphView::isDetailed() const
{
    return m_zoom >= kDetailZoom;
}

void GraphView::updateRegion()
{
    if (!m_editor)
        return;
    if (!isDetailed()) {
        m_region = QRectF();
    } else {
        // Larger than the view, so that a pan makes new items only now and then.
        const QRectF shown(toScene({0, 0}), toScene({width(), height()}));
        if (m_region.contains(shown) && m_region.width() < 3 * shown.width())
            return;
        m_region = shown.adjusted(-shown.width() / 4, -shown.height() / 4, shown.width() / 4, shown.height() / 4);
    }
    m_editor->setVisibleRegion(m_region);
}
