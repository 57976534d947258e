#include "core/graph/graph_search.h"

#include "core/document/project_places.h"
#include "core/text/value_text.h"

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
