#include "features/canvas/connect_gesture.h"

#include "features/canvas/canvas_tools.h"
#include "features/canvas/graph_view.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qreal kDropReach = 24;

PortRef sourceOf(const Connection& wire) {
    return {QString::fromStdString(wire.source), QString::fromStdString(wire.sourcePort), true};
}

PortRef targetOf(const Connection& wire) {
    return {QString::fromStdString(wire.target), QString::fromStdString(wire.targetPort), false};
}

} // namespace

Session& ConnectGesture::session() const { return m_view.tools()->session(); }

CanvasTools& ConnectGesture::tools() const { return *m_view.tools(); }

std::optional<PortRef> ConnectGesture::portNear(QPointF pointer) const {
    return session().scene().portAt(m_view.toScene(pointer), kDropReach / std::max(m_view.zoom(), 0.5));
}

void ConnectGesture::start(const PortRef& pressed) {
    m_fixed = pressed;
    m_detached.reset();
    for (const WireView& wire : session().scene().wires()) {
        const bool pullsTarget = !pressed.output && targetOf(wire.connection) == pressed;
        const bool pullsSource = pressed.output && sourceOf(wire.connection) == pressed &&
                                 session().selection().wires().contains(wire.connection);
        if (!pullsTarget && !pullsSource) continue;
        m_detached = wire.connection;
        m_fixed = pullsTarget ? sourceOf(wire.connection) : targetOf(wire.connection);
        break;
    }
}

bool ConnectGesture::isFree(const PortRef& port) const {
    const std::vector<WireView>& wires = session().scene().wires();
    return std::none_of(wires.begin(), wires.end(), [&](const WireView& wire) {
        return port.output
                   ? sourceOf(wire.connection) == port && session().selection().wires().contains(wire.connection)
                   : targetOf(wire.connection) == port;
    });
}

QList<PortRef> ConnectGesture::acceptingPorts() const {
    QList<PortRef> ports = session().scene().portsThatAccept(*m_fixed, detached());
    ports.append(*m_fixed);
    return ports;
}

void ConnectGesture::follow(QPointF pointer) {
    const auto target = portNear(pointer);
    const bool elsewhere = target && *target != *m_fixed;
    m_hint = elsewhere ? session().scene().connectionProblem(*m_fixed, *target, detached()) : QString();
}

void ConnectGesture::finish(QPointF pointer) {
    const PortRef fixed = *m_fixed;
    const auto wire = m_detached;
    const auto target = portNear(pointer);
    const QPointF place = m_view.toScene(pointer);
    cancel();
    if (target && *target == fixed) return;
    if (target && wire) tools().graph()->reconnect(*wire, fixed, *target);
    else if (target) session().connectPorts(fixed, *target);
    else if (!session().scene().blockAt(place)) tools().inserter()->askFor(fixed, place, wire);
}

void ConnectGesture::cancel() {
    m_fixed.reset();
    m_detached.reset();
    m_hint.clear();
}

} // namespace weir::editor
