#include "features/canvas/graph_finder.h"

#include "core/document/project_places.h"
#include "core/text/value_text.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

QString qt(const Json* value) { return QString::fromStdString(text(value)); }

bool occursIn(const Json& block, const BlockType* type, const QString& wanted) {
    const auto has = [&wanted](const QString& text) { return text.contains(wanted, Qt::CaseInsensitive); };
    if (has(qt(member(block, "id"))) || has(qt(member(block, "type"))) || has(qt(member(block, "comment"))))
        return true;
    if (type && has(QString::fromStdString(type->title))) return true;
    for (const auto& item : object(member(block, "parameters")).items())
        if (has(QString::fromStdString(item.key())) || has(fieldText(item.value()))) return true;
    return false;
}

} // namespace

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

QStringList findBlocks(const Json& project, const Catalog& catalog, const QString& text) {
    const QString wanted = text.trimmed();
    if (wanted.isEmpty()) return {};
    QStringList found;
    for (const Json& block : list(find(project, kGraph.blocks)))
        if (occursIn(block, catalog.block(weir::editor::text(member(block, "type"))), wanted))
            found.append(qt(member(block, "id")));
    std::stable_partition(found.begin(), found.end(),
                          [&wanted](const QString& id) { return id.startsWith(wanted, Qt::CaseInsensitive); });
    found.removeAll(QString());
    return found;
}

} // namespace weir::editor
