#include "shell/tables/table_model.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {

TableModel::TableModel(QObject* parent) : QAbstractListModel(parent) {}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const TableRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return row.cells.isEmpty() ? QString() : row.cells.first().text;
        case CellsRole: {
            QStringList texts;
            for (const TableCell& cell : row.cells) texts.append(cell.text);
            return texts;
        }
        case HintsRole: {
            QStringList texts;
            for (const TableCell& cell : row.cells) texts.append(cell.hint);
            return texts;
        }
        case BlockRole: return row.block;
        case ShareRole: return row.share;
        case HeatRole: return row.heat;
        case ToneRole: return row.tone;
        default: return {};
    }
}

QHash<int, QByteArray> TableModel::roleNames() const {
    return {{CellsRole, "cells"}, {HintsRole, "hints"}, {BlockRole, "block"},
            {ShareRole, "share"}, {HeatRole, "heat"},   {ToneRole, "tone"}};
}

QVariantList TableModel::columns() const {
    QVariantList found;
    for (const TableColumn& column : m_columns)
        found.append(QVariantMap{{QStringLiteral("title"), column.title},
                                 {QStringLiteral("unit"), column.unit},
                                 {QStringLiteral("number"), column.number},
                                 {QStringLiteral("width"), column.width},
                                 {QStringLiteral("hint"), column.hint},
                                 {QStringLiteral("bar"), column.bar}});
    return found;
}

void TableModel::setTable(const QList<TableColumn>& columns, std::vector<TableRow> rows, const QString& remark) {
    beginResetModel();
    if (columns.size() != m_columns.size()) {
        m_sortColumn = -1;
        m_descending = false;
    }
    m_columns = columns;
    m_rows = std::move(rows);
    m_remark = remark;
    sortRows();
    endResetModel();
    emit tableChanged();
    emit sorted();
}

void TableModel::sortBy(int column) {
    if (column < 0 || column >= m_columns.size()) return;
    // The first click sorts numbers in descending and names in ascending order.
    m_descending = column == m_sortColumn ? !m_descending : m_columns[column].number;
    m_sortColumn = column;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    for (std::size_t row = 0; row < m_rows.size(); ++row) m_rows[row].cells.append({{}, static_cast<double>(row)});
    sortRows();
    QModelIndexList after = before;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const int was = static_cast<int>(m_rows[row].cells.takeLast().value);
        for (qsizetype i = 0; i < before.size(); ++i)
            if (before[i].row() == was) after[i] = index(static_cast<int>(row));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
    emit sorted();
}

void TableModel::sortRows() {
    if (m_sortColumn < 0) return;
    const auto cell = [this](const TableRow& row) { return row.cells.value(m_sortColumn); };
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](const TableRow& a, const TableRow& b) {
        const TableCell left = cell(a), right = cell(b);
        if (m_columns[m_sortColumn].number) {
            const bool measured = !std::isnan(left.value), other = !std::isnan(right.value);
            if (!measured || !other) return measured && !other;
            return m_descending ? left.value > right.value : left.value < right.value;
        }
        const int order = QString::localeAwareCompare(left.text, right.text);
        return m_descending ? order > 0 : order < 0;
    });
}

QString TableModel::asText() const {
    QStringList lines, titles;
    for (const TableColumn& column : m_columns)
        titles.append(column.unit.isEmpty() ? column.title : QStringLiteral("%1 (%2)").arg(column.title, column.unit));
    lines.append(titles.join(u'\t'));
    for (const TableRow& row : m_rows) {
        QStringList texts;
        for (const TableCell& cell : row.cells) texts.append(cell.text);
        lines.append(texts.join(u'\t'));
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace weir::editor
