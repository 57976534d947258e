#include "features/canvas/key_connection.h"

#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {

QString KeyConnection::start(Session& session, const QString& block) {
    const BlockView* view = session.scene().block(block);
    if (!view) return tr("Select the block to connect first");
    QList<PortRef> origins;
    for (const PortView& port : view->outputs) origins.append({block, port.id, true});
    for (const PortView& port : view->inputs)
        if (!port.connected) origins.append({block, port.id, false});
    for (int index = 0; index < origins.size(); ++index) {
        if (session.scene().portsThatAccept(origins[index]).isEmpty()) continue;
        m_session = &session;
        m_origins = origins;
        m_origin = index;
        findTargets();
        return {};
    }
    return tr("No port fits %1").arg(block);
}

void KeyConnection::findTargets() {
    m_targets = m_session->scene().portsThatAccept(origin());
    // Nearest first: it is the likely one.
    const QPointF from = m_session->scene().portPosition(origin());
    const auto distance = [this, from](const PortRef& port) {
        return (m_session->scene().portPosition(port) - from).manhattanLength();
    };
    std::stable_sort(m_targets.begin(), m_targets.end(),
                     [&distance](const PortRef& a, const PortRef& b) { return distance(a) < distance(b); });
    m_target = 0;
    emit changed();
}

std::optional<PortRef> KeyConnection::target() const {
    return m_target < m_targets.size() ? std::optional(m_targets[m_target]) : std::nullopt;
}

QString KeyConnection::description() const {
    if (!isActive()) return {};
    const QString from = QStringLiteral("%1.%2").arg(origin().block, origin().port);
    const auto to = target();
    if (!to) return tr("%1: no port fits").arg(from);
    return tr("connect %1 and %2.%3 (%4 of %5): Enter, or Esc")
        .arg(from, to->block, to->port)
        .arg(m_target + 1)
        .arg(m_targets.size());
}

void KeyConnection::walkTargets(int step) {
    const int count = static_cast<int>(m_targets.size());
    if (count > 0) m_target = (m_target + step + count) % count;
    emit changed();
}

void KeyConnection::walkOrigins(int step) {
    const int count = static_cast<int>(m_origins.size());
    m_origin = (m_origin + step + count) % count;
    findTargets();
}

void KeyConnection::accept() {
    Session* session = m_session;
    const auto to = target();
    const PortRef from = isActive() ? origin() : PortRef();
    cancel();
    if (session && to) session->connectPorts(from, *to);
}

void KeyConnection::cancel() {
    if (!m_session) return;
    m_session = nullptr;
    m_targets.clear();
    emit changed();
}

} // namespace weir::editor
