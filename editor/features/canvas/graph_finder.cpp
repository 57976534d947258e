#include "features/canvas/graph_finder.h"

#include "core/graph/graph_search.h"
#include "shell/session/session.h"

namespace weir::editor {

GraphFinder::GraphFinder(Session& session) : QObject(&session), m_session(session) {
    connect(&session.document(), &Document::changed, this, &GraphFinder::search);
    connect(&session.document(), &Document::replaced, this, &GraphFinder::search);
}

void GraphFinder::setText(const QString& text) {
    if (m_text == text) return;
    m_text = text;
    m_current = -1;
    search();
    if (!m_found.isEmpty()) step(1);
}

void GraphFinder::search() {
    const QString shown = m_found.value(m_current);
    m_found = findBlocks(m_session.document().json(), m_session.scene().catalog(), m_text);
    m_current = static_cast<int>(m_found.indexOf(shown));
    emit changed();
}

void GraphFinder::step(int by) {
    if (m_found.isEmpty()) return;
    const int count = static_cast<int>(m_found.size());
    m_current = m_current < 0 ? (by > 0 ? 0 : count - 1) : (m_current + by + count) % count;
    m_session.goTo(m_found[m_current]);
    emit changed();
}

} // namespace weir::editor
