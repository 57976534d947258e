#include "features/files/exchange_report.h"

#include "core/text/prose.h"

namespace weir::editor {
namespace {

QString qtext(const Json* value) { return QString::fromStdString(text(value)); }

} // namespace

int ExchangeReport::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ExchangeReport::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case OutcomeRole: return row.outcome;
        case HeadingRole:
            if (index.row() > 0 && m_rows[static_cast<std::size_t>(index.row()) - 1].outcome == row.outcome)
                return QString();
            return row.outcome == QLatin1String("dropped") ? tr("Dropped: not part of the other's file")
                   : row.outcome == QLatin1String("stubbed")
                       ? tr("Stubbed: no counterpart, keeps its parameters and wires, cannot run")
                   : row.outcome == QLatin1String("replaced") ? tr("Replaced: something else stands for it")
                                                              : tr("Kept: computes the same");
        case Qt::DisplayRole:
        case NameRole: return row.name;
        case TypeRole: return row.type;
        case ReasonRole: return row.reason;
        case BlockRole: return row.block;
        default: return {};
    }
}

QHash<int, QByteArray> ExchangeReport::roleNames() const {
    return {{OutcomeRole, "outcome"}, {HeadingRole, "heading"}, {NameRole, "name"},
            {TypeRole, "type"},       {ReasonRole, "reason"},   {BlockRole, "block"}};
}

void ExchangeReport::show(const QString& title, const Json& answer) {
    beginResetModel();
    m_rows.clear();
    // What needs a look comes first.
    for (const char* outcome : {"dropped", "stubbed", "replaced", "kept"})
        for (const Json& entry : list(member(answer, outcome))) {
            const Json& became = list(member(entry, "became"));
            const bool isBlock = text(member(entry, "kind")) == "block";
            m_rows.push_back({QLatin1String(outcome), qtext(member(entry, "name")), qtext(member(entry, "type")),
                              prose(entry, "reason"), isBlock && !became.empty() ? qtext(&became.back()) : QString()});
        }
    endResetModel();
    const auto count = [&answer](const char* outcome) { return list(member(answer, outcome)).size(); };
    m_title = title;
    m_counts = tr("%1 kept · %2 replaced · %3 stubbed · %4 dropped")
                   .arg(count("kept"))
                   .arg(count("replaced"))
                   .arg(count("stubbed"))
                   .arg(count("dropped"));
    emit changed();
}

} // namespace weir::editor
