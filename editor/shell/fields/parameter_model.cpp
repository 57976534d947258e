#include "shell/fields/parameter_model.h"

#include <algorithm>

namespace weir::editor {

void ParameterModel::setRows(std::vector<ParameterRow> rows) {
    const auto sameField = [](const ParameterRow& a, const ParameterRow& b) {
        return a.name == b.name && a.widget == b.widget && a.pointer == b.pointer && a.others == b.others;
    };
    const std::size_t least = std::min(rows.size(), m_rows.size());
    std::size_t head = 0, tail = 0;
    while (head < least && sameField(rows[head], m_rows[head])) ++head;
    while (tail < least - head && sameField(rows[rows.size() - 1 - tail], m_rows[m_rows.size() - 1 - tail])) ++tail;
    if (head + tail == 0 && !(rows.empty() && m_rows.empty())) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    const auto at = [head](auto& list) { return list.begin() + static_cast<std::ptrdiff_t>(head); };
    const auto before = static_cast<int>(m_rows.size() - head - tail),
               after = static_cast<int>(rows.size() - head - tail);
    if (before > 0) {
        beginRemoveRows({}, static_cast<int>(head), static_cast<int>(head) + before - 1);
        m_rows.erase(at(m_rows), at(m_rows) + before);
        endRemoveRows();
    }
    if (after > 0) {
        beginInsertRows({}, static_cast<int>(head), static_cast<int>(head) + after - 1);
        m_rows.insert(at(m_rows), at(rows), at(rows) + after);
        endInsertRows();
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (rows[row].value == m_rows[row].value) {
            rows[row].draft = m_rows[row].draft;
            rows[row].refusal = m_rows[row].refusal;
        }
        if (rows[row] == m_rows[row]) continue;
        m_rows[row] = std::move(rows[row]);
        emit dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)));
    }
}

const ParameterRow* ParameterModel::row(const QString& name) const {
    const int index = indexOf(name);
    return index < 0 ? nullptr : &m_rows[static_cast<std::size_t>(index)];
}

int ParameterModel::indexOf(const QString& name) const {
    const auto it =
        std::find_if(m_rows.begin(), m_rows.end(), [&name](const ParameterRow& row) { return row.name == name; });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

void ParameterModel::setRefusal(int row, const QString& draft, const QString& why) {
    ParameterRow& field = m_rows.at(static_cast<std::size_t>(row));
    if (field.draft == draft && field.refusal == why) return;
    field.draft = draft;
    field.refusal = why;
    emit dataChanged(index(row), index(row));
}

} // namespace weir::editor
