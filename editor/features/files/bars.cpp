#include "features/files/bars.h"

#include <algorithm>

namespace weir::editor {

int Bars::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_bars.size()); }

QVariant Bars::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Bar& bar = m_bars[static_cast<std::size_t>(index.row())];
    QStringList choices;
    switch (role) {
        case IdRole: return bar.id;
        case WarningRole: return bar.kind == Bar::Kind::Warning;
        case Qt::DisplayRole:
        case TextRole: return bar.text;
        case ChoiceIdsRole:
            for (const Bar::Choice& choice : bar.choices) choices.append(choice.id);
            return choices;
        case ChoiceTitlesRole:
            for (const Bar::Choice& choice : bar.choices) choices.append(choice.title);
            return choices;
        case DismissibleRole: return bar.dismissible;
        default: return {};
    }
}

QHash<int, QByteArray> Bars::roleNames() const {
    return {{IdRole, "barId"},
            {WarningRole, "warning"},
            {TextRole, "message"},
            {ChoiceIdsRole, "choiceIds"},
            {ChoiceTitlesRole, "choiceTitles"},
            {DismissibleRole, "dismissible"}};
}

int Bars::rowOf(const QString& id) const {
    const auto it = std::find_if(m_bars.begin(), m_bars.end(), [&id](const Bar& bar) { return bar.id == id; });
    return it == m_bars.end() ? -1 : static_cast<int>(it - m_bars.begin());
}

const Bar* Bars::bar(const QString& id) const {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_bars[static_cast<std::size_t>(row)];
}

void Bars::show(Bar bar) {
    const int row = rowOf(bar.id);
    if (row >= 0) {
        m_bars[static_cast<std::size_t>(row)] = std::move(bar);
        emit dataChanged(index(row), index(row));
        return;
    }
    const int end = rowCount();
    beginInsertRows({}, end, end);
    m_bars.push_back(std::move(bar));
    endInsertRows();
}

void Bars::remove(const QString& id) {
    const int row = rowOf(id);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    m_bars.erase(m_bars.begin() + row);
    endRemoveRows();
}

void Bars::choose(const QString& id, const QString& choice) {
    const Bar* chosen = bar(id);
    if (!chosen) return;
    for (const Bar::Choice& possible : chosen->choices) {
        if (possible.id != choice) continue;
        const auto run = possible.run; // running it may delete the bar
        if (possible.closes) remove(id);
        if (run) run();
        return;
    }
}

} // namespace weir::editor
