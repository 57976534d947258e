#include "features/canvas/key_walk.h"

#include "core/graph/signal_order.h"
#include "shell/session/session.h"

#include <QScopedValueRollback>

#include <algorithm>

namespace weir::editor {

KeyWalk::KeyWalk(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &Session::selectionChanged, this, &KeyWalk::follow);
}

KeyWalk::Selecting KeyWalk::selectingWith(Qt::KeyboardModifiers modifiers) {
    return modifiers & Qt::ShiftModifier     ? Selecting::Extend
           : modifiers & Qt::ControlModifier ? Selecting::Keep
                                             : Selecting::Only;
}

bool KeyWalk::step(int direction, Selecting selecting) {
    const QStringList order = signalOrder(m_session.scene());
    const auto at = order.indexOf(m_at);
    const auto next = at < 0 ? (direction > 0 ? 0 : order.size() - 1) : at + direction;
    if (next < 0 || next >= order.size()) return false;
    goTo(order[next], selecting);
    return true;
}

bool KeyWalk::hasNext() const {
    const QStringList order = signalOrder(m_session.scene());
    return order.indexOf(m_at) + 1 < order.size();
}

void KeyWalk::toEnd(int direction, Selecting selecting) {
    const QStringList order = signalOrder(m_session.scene());
    if (!order.isEmpty()) goTo(direction < 0 ? order.first() : order.last(), selecting);
}

void KeyWalk::toggle() {
    if (!m_session.scene().block(m_at)) return;
    const QScopedValueRollback going(m_going, true);
    m_anchor = m_at;
    m_session.selection().toggleBlock(m_at);
}

void KeyWalk::leave() {
    m_anchor.clear();
    if (!std::exchange(m_at, {}).isEmpty()) emit moved();
}

void KeyWalk::goTo(const QString& block, Selecting selecting) {
    const QScopedValueRollback going(m_going, true);
    Selection& selection = m_session.selection();
    QSet<QString> chosen = selection.blocks();
    if (selecting == Selecting::Extend) chosen.subtract(reach());
    m_at = block;
    if (selecting != Selecting::Extend || m_anchor.isEmpty()) m_anchor = block;
    if (selecting == Selecting::Only) selection.set({block});
    else if (selecting == Selecting::Extend) selection.set(chosen.unite(reach()), selection.wires(), selection.decor());
    emit moved();
    emit m_session.revealRequested(block);
}

/// Return the blocks from the start of the extension to the focused block.
QSet<QString> KeyWalk::reach() const {
    const QStringList order = signalOrder(m_session.scene());
    const auto [from, to] = std::minmax(order.indexOf(m_anchor), order.indexOf(m_at));
    if (from < 0) return {};
    const QStringList between = order.mid(from, to - from + 1);
    return {between.begin(), between.end()};
}

/// Follow a selection made by other means.
void KeyWalk::follow() {
    const QSet<QString>& blocks = m_session.selection().blocks();
    if (m_going || (blocks.size() > 1 && blocks.contains(m_at))) return;
    m_at = m_anchor = m_session.selection().onlyBlock();
    emit moved();
}

} // namespace weir::editor
