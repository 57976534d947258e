#include "parameter_model.h"

#include <algorithm>

namespace weir::editor {

ParameterModel::ParameterModel(QObject *parent) : QAbstractListModel(parent) {}

int ParameterModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ParameterModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ParameterRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case NameRole:
        return row.name;
    case Qt::DisplayRole:
    case TitleRole:
        return row.title;
    case TypeRole:
        return row.type;
    case WidgetRole:
        return row.widget;
    case UnitRole:
        return row.unit;
    case ValueRole:
        return row.value;
    case PlaceholderRole:
        return row.placeholder;
    case OptionsRole:
        return row.options;
    case DocumentationRole:
        return row.documentation;
    case ProblemRole:
        return row.problem;
    case SetRole:
        return row.set;
    default:
        return {};
    }
}

QHash<int, QByteArray> ParameterModel::roleNames() const
{
    return {{NameRole, "name"},         {TitleRole, "title"},
            {TypeRole, "type"},         {WidgetRole, "widget"},
            {UnitRole, "unit"},         {ValueRole, "value"},
            {PlaceholderRole, "placeholder"}, {OptionsRole, "options"},
            {DocumentationRole, "documentation"}, {ProblemRole, "problem"},
            {SetRole, "isSet"}};
}

void ParameterModel::setRows(std::vector<ParameterRow> rows)
{
    const auto sameField = [](const ParameterRow &a, const ParameterRow &b) {
        return a.name == b.name && a.widget == b.widget && a.pointer == b.pointer;
    };
    if (!std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameField)) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (rows[row] == m_rows[row])
            continue;
        m_rows[row] = std::move(rows[row]);
        emit dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)));
    }
}

const ParameterRow *ParameterModel::row(const QString &name) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [&name](const ParameterRow &row) { return row.name == name; });
    return it == m_rows.end() ? nullptr : &*it;
}

} // namespace weir::editor
