#include "features/canvas/canvas_gestures.h"

#include "core/graph/node_geometry.h"
#include "features/canvas/block_inserter.h"
#include "features/canvas/canvas_tools.h"
#include "features/canvas/graph_view.h"
#include "features/decor/decor_controller.h"
#include "shell/session/session.h"

#include <QCursor>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QStyleHints>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr qreal kPortReach = 12;
constexpr qreal kCornerReach = 14;
constexpr qreal kPointGrid = 5;

QString portKey(const PortRef& port) {
    return QStringLiteral("%1%2%3").arg(port.block, port.output ? QStringLiteral(">") : QStringLiteral("<"), port.port);
}

} // namespace

CanvasGestures::CanvasGestures(GraphView& view)
    : QObject(&view), m_view(view), m_keys(new KeyConnection(this)), m_connect(view) {
    connect(m_keys, &KeyConnection::changed, this, [this] {
        QList<PortRef> ports = m_keys->targets();
        if (m_keys->isActive()) ports.append(m_keys->origin());
        setAcceptingPorts(ports);
        emit changed();
    });
}

Session& CanvasGestures::session() const { return m_view.tools()->session(); }

CanvasTools& CanvasGestures::tools() const { return *m_view.tools(); }

std::optional<PortRef> CanvasGestures::portNear(QPointF position) const {
    return session().scene().portAt(m_view.toScene(position), kPortReach / std::max(m_view.zoom(), 0.5));
}

void CanvasGestures::press(const QMouseEvent& event) {
    m_keys->cancel();
    m_pressed = m_pointer = event.position();
    if (m_wireClicked && finishClickedWire(event.button() == Qt::LeftButton && !m_panKeyHeld)) return;
    m_menuOnRelease = event.button() == Qt::RightButton;
    if (event.button() == Qt::LeftButton && !m_panKeyHeld) pressLeft(event.modifiers());
    else setGesture(Gesture::Pan);
}

void CanvasGestures::pressLeft(Qt::KeyboardModifiers modifiers) {
    const QPointF point = m_view.toScene(m_pressed);
    const bool additive = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    Selection& selection = session().selection();
    m_pressedPort = portNear(m_pressed);
    m_pressedBlock.clear();
    m_pressedGroup.clear();
    m_pressedPart.reset();
    m_selectedBefore = additive ? selection.blocks() : QSet<QString>();
    m_partsBefore = additive ? selection.decor() : std::set<DecorId>();
    setGesture(Gesture::Pressed);
    if (m_pressedPort) return;
    const auto corner = session().scene().resizeAt(point, kCornerReach / m_view.zoom());
    m_resizing = corner && selection.decor().contains(*corner);
    if (m_resizing) {
        m_pressedPart = corner;
        m_resizeFrom = *session().scene().rectOf(*corner);
        return;
    }
    if (const BlockView* block = session().scene().blockAt(point)) {
        m_pressedBlock = block->id;
        if (additive) selection.toggleBlock(block->id);
        else if (!selection.blocks().contains(block->id)) selection.set({block->id});
    } else if (m_pressedPart = partAt(point); m_pressedPart) {
        if (additive) selection.toggleDecor(*m_pressedPart);
        else if (!selection.decor().contains(*m_pressedPart)) selection.set({}, {}, {*m_pressedPart});
    } else if (const WireView* wire = session().scene().wireAt(point, kWireReach / m_view.zoom())) {
        if (additive) selection.toggleWire(wire->connection);
        else selection.set({}, {wire->connection});
    } else if (const GroupView* group = groupAt(point)) {
        pressGroup(*group, additive);
    } else if (!additive) {
        selection.clear();
    }
}

void CanvasGestures::move(const QMouseEvent& event) {
    const QPointF previous = std::exchange(m_pointer, event.position());
    if (m_gesture == Gesture::Pressed &&
        (m_pointer - m_pressed).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance())
        start();

    if ((m_pointer - m_pressed).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance())
        m_menuOnRelease = false;

    if (m_gesture == Gesture::Pan) m_view.panBy(m_pointer - previous);
    else if (m_gesture == Gesture::Move) followMove(event.modifiers());
    else if (m_gesture == Gesture::Resize) session().scene().setResized(m_pressedPart, resizedRect());
    else if (m_gesture == Gesture::Box) selectInBox();
    else if (m_gesture == Gesture::Connect) m_connect.follow(m_pointer);
    emit changed();
}

void CanvasGestures::startWire() {
    setGesture(Gesture::Connect);
    m_connect.start(*m_pressedPort);
    setAcceptingPorts(m_connect.acceptingPorts());
}

/// Return false, and abandon the wire, if no port was clicked: the press is for what lies there.
bool CanvasGestures::finishClickedWire(bool clicks) {
    const bool onPort = clicks && portNear(m_pointer).has_value();
    if (onPort) m_connect.finish(m_pointer);
    cancel();
    return onPort;
}

void CanvasGestures::start() {
    if (m_pressedPort) {
        startWire();
    } else if (m_resizing) {
        setGesture(Gesture::Resize);
    } else if (m_pressedBlock.isEmpty() && !m_pressedPart) {
        setGesture(Gesture::Box);
    } else if (session().selection().blocks().contains(m_pressedBlock) ||
               (m_pressedPart && session().selection().decor().contains(*m_pressedPart))) {
        m_moved = session().scene().movedWith(session().selection().blocks(), session().selection().decor());
        setGesture(Gesture::Move);
    }
}

void CanvasGestures::release(const QMouseEvent& event) {
    m_pointer = event.position();
    end(event.modifiers());
}

void CanvasGestures::end(Qt::KeyboardModifiers modifiers) {
    const Gesture gesture = m_gesture;
    if (gesture == Gesture::Pressed && m_pressedPort && m_connect.isFree(*m_pressedPort)) {
        startWire();
        m_wireClicked = true;
        return;
    }
    const bool wantsMenu = m_menuOnRelease;
    const QPointF offset = gesture == Gesture::Move ? snappedOffset(modifiers) : QPointF();
    const auto part = m_pressedPart;
    const bool onePoint = gesture == Gesture::Move && movesOnlyPoints() && session().selection().decor().size() == 1;
    const QRectF resized = gesture == Gesture::Resize ? resizedRect() : QRectF();
    if (gesture == Gesture::Pressed && !m_pressedPort && !m_pressedBlock.isEmpty() && modifiers == Qt::NoModifier)
        session().selection().set(m_pressedGroup.isEmpty() ? QSet{m_pressedBlock} : m_pressedGroup);
    if (gesture == Gesture::Pressed && part && !m_resizing && modifiers == Qt::NoModifier)
        session().selection().set({}, {}, {*part});
    if (gesture == Gesture::Connect) {
        m_connect.finish(m_pointer);
        setAcceptingPorts({});
    }
    const auto onto = gesture == Gesture::Move ? m_hoveredWire : std::nullopt;
    const QString moved = m_pressedBlock;
    cancel();
    if (gesture == Gesture::Resize) tools().decor().resize(*part, resized);
    else if (onePoint) tools().decor().movePoint(*part, offset);
    else if (gesture == Gesture::Move && onto) tools().inserter()->moveOnto(moved, offset, *onto);
    else if (gesture == Gesture::Move) session().moveSelection(offset, false);
    else if (wantsMenu) requestMenu();
}

void CanvasGestures::followMove(Qt::KeyboardModifiers modifiers) {
    session().scene().setDrag(m_moved, snappedOffset(modifiers));
    const bool alone = !m_pressedBlock.isEmpty() && m_moved.size() == 1;
    setHovered(m_hoveredBlock, alone ? tools().inserter()->wireForLone(m_pressedBlock) : std::nullopt, true);
}

void CanvasGestures::dragOver(const QString& type, QPointF position) {
    setHovered({}, tools().inserter()->wireFor(type, m_view.toScene(position)), true);
}

void CanvasGestures::drop(const QString& type, QPointF position) {
    setHovered({}, {});
    tools().inserter()->drop(type, m_view.toScene(position));
}

void CanvasGestures::cancel() {
    const bool wasConnecting = isConnecting();
    if (m_gesture == Gesture::Move) {
        session().scene().clearDragOffset();
        setHovered(m_hoveredBlock, {});
    }
    if (m_gesture == Gesture::Resize) session().scene().setResized({}, {});
    m_pressedPart.reset();
    m_resizing = false;
    m_connect.cancel();
    m_keys->cancel();
    m_wireClicked = false;
    m_pressedPort.reset();
    m_pressedBlock.clear();
    m_pressedGroup.clear();
    m_menuOnRelease = false;
    setGesture(Gesture::None);
    if (wasConnecting) setAcceptingPorts({});
}

void CanvasGestures::setGesture(Gesture gesture) {
    if (m_gesture == gesture) return;
    m_gesture = gesture;
    m_view.setCursor(gesture == Gesture::Pan       ? Qt::ClosedHandCursor
                     : gesture == Gesture::Connect ? Qt::CrossCursor
                     : gesture == Gesture::Resize  ? Qt::SizeFDiagCursor
                                                   : Qt::ArrowCursor);
    emit changed();
}

QPointF CanvasGestures::snappedOffset(Qt::KeyboardModifiers modifiers) const {
    const QPointF raw = (m_pointer - m_pressed) / m_view.zoom();
    if (modifiers & Qt::AltModifier) return raw;
    const double grid = movesOnlyPoints() ? kPointGrid : geometry::kGrid;
    const auto snap = [grid](double value) { return std::round(value / grid) * grid; };
    return {snap(raw.x()), snap(raw.y())};
}

bool CanvasGestures::movesOnlyPoints() const {
    return m_moved.blocks.isEmpty() && std::all_of(m_moved.decor.begin(), m_moved.decor.end(),
                                                   [](const DecorId& part) { return part.kind == DecorKind::Point; });
}

QRectF CanvasGestures::resizedRect() const {
    QRectF rect = m_resizeFrom;
    const auto snap = [](double value) { return std::round(value / geometry::kGrid) * geometry::kGrid; };
    const QPointF by = (m_pointer - m_pressed) / m_view.zoom();
    rect.setRight(std::max(snap(rect.right() + by.x()), rect.left() + decor::kMinimumWidth));
    rect.setBottom(std::max(snap(rect.bottom() + by.y()), rect.top() + decor::kMinimumHeight));
    return rect;
}

QRectF CanvasGestures::selectionBox() const {
    return m_gesture == Gesture::Box ? QRectF(m_pressed, m_pointer).normalized() : QRectF();
}

void CanvasGestures::selectInBox() {
    const QRectF box = QRectF(m_view.toScene(m_pressed), m_view.toScene(m_pointer)).normalized();
    QSet<QString> inside = m_selectedBefore;
    for (const BlockView& block : session().scene().blocks())
        if (box.intersects(block.rect)) inside.insert(block.id);
    // Select a frame only if it is completely inside: within a frame, the box selects its blocks.
    std::set<DecorId> parts = m_partsBefore;
    for (const FrameView& frame : session().scene().frames())
        if (box.contains(frame.rect)) parts.insert({DecorKind::Frame, frame.key});
    for (const NoteView& note : session().scene().notes())
        if (box.intersects(note.rect)) parts.insert({DecorKind::Note, note.key});
    session().selection().set(inside, {}, parts);
}

void CanvasGestures::setAcceptingPorts(const QList<PortRef>& ports) {
    m_acceptingPorts.clear();
    for (const PortRef& port : ports) m_acceptingPorts.append(portKey(port));
    emit connectingChanged();
}

std::optional<PortRef> CanvasGestures::fixedPort() const {
    return m_keys->isActive() ? std::optional(m_keys->origin()) : m_connect.fixed();
}

std::optional<std::pair<QPointF, QPointF>> CanvasGestures::pendingWire() const {
    const auto fixed = fixedPort();
    if (!fixed) return {};
    const QPointF start = m_view.toView(session().scene().portPosition(*fixed));
    QPointF end = m_keys->isActive() ? start : m_pointer;
    if (const auto target = m_keys->target()) end = m_view.toView(session().scene().portPosition(*target));
    return fixed->output ? std::pair(start, end) : std::pair(end, start);
}

QString CanvasGestures::pendingType() const {
    const auto fixed = fixedPort();
    const BlockView* block = fixed ? session().scene().block(fixed->block) : nullptr;
    if (!block) return {};
    for (const PortView& port : fixed->output ? block->outputs : block->inputs)
        if (port.id == fixed->port) return port.itemType;
    return {};
}

void CanvasGestures::hover(QPointF position) {
    // A dragged block marks its own target.
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return;
    const bool follows = m_wireClicked && m_view.contains(position); // otherwise the pointer has left the canvas
    if (isIdle() || follows) m_pointer = position;
    if (follows) {
        m_connect.follow(position);
        emit changed();
    }
    const QPointF point = m_view.toScene(position);
    const BlockView* block = session().scene().blockAt(point);
    const WireView* wire = block ? nullptr : session().scene().wireAt(point, kWireReach / m_view.zoom());
    setHovered(block ? block->id : QString(), wire ? std::optional(wire->connection) : std::nullopt);
}

void CanvasGestures::setHovered(const QString& block, const std::optional<Connection>& wire, bool isDropTarget) {
    if (block == m_hoveredBlock && wire == m_hoveredWire && isDropTarget == m_isDropTarget) return;
    m_isDropTarget = isDropTarget;
    m_hoveredBlock = block;
    m_hoveredWire = wire;
    emit hoverChanged();
}

} // namespace weir::editor
