#pragma once

#include <QAbstractListModel>
#include <QMetaEnum>
#include <QMetaProperty>
#include <QVariantList>

#include <algorithm>
#include <vector>

namespace weir::editor {

/// Return the names of a model's roles, from their enumeration: `TitleRole` is `title`.
template <class Role> QHash<int, QByteArray> roleNamesOf() {
    const QMetaEnum roles = QMetaEnum::fromType<Role>();
    QHash<int, QByteArray> names;
    for (int index = 0; index < roles.keyCount(); ++index) {
        QByteArray name(roles.key(index));
        name.chop(static_cast<int>(sizeof "Role") - 1);
        names.insert(roles.value(index), name.left(1).toLower() + name.mid(1));
    }
    return names;
}

/// Rows of a gadget whose properties are the roles, by name and in order. Rows that `setRows` does not change keep
/// their items.
template <class Row> class RowModel : public QAbstractListModel {
  public:
    using QAbstractListModel::QAbstractListModel;

    const std::vector<Row>& rows() const { return m_rows; }
    static int role(const char* property) { return kFirstRole + Row::staticMetaObject.indexOfProperty(property); }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        const int property = role - kFirstRole;
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid) || property < 0 ||
            property >= Row::staticMetaObject.propertyCount())
            return {};
        return Row::staticMetaObject.property(property).readOnGadget(&m_rows[static_cast<std::size_t>(index.row())]);
    }

    QHash<int, QByteArray> roleNames() const override {
        QHash<int, QByteArray> names;
        for (int property = 0; property < Row::staticMetaObject.propertyCount(); ++property)
            names.insert(kFirstRole + property, Row::staticMetaObject.property(property).name());
        return names;
    }

    /// Keeps equal rows at the beginning and at the end, and changes as many as possible in place between them.
    void setRows(std::vector<Row> rows) {
        const std::size_t least = std::min(rows.size(), m_rows.size());
        std::size_t head = 0;
        while (head < least && rows[head] == m_rows[head]) ++head;
        std::size_t tail = 0;
        while (tail < least - head && rows[rows.size() - 1 - tail] == m_rows[m_rows.size() - 1 - tail]) ++tail;
        const auto first = static_cast<int>(head);
        const auto before = static_cast<int>(m_rows.size() - head - tail);
        const auto after = static_cast<int>(rows.size() - head - tail);
        const int changed = std::min(before, after);
        if (after < before) {
            beginRemoveRows({}, first + changed, first + before - 1);
            m_rows.erase(m_rows.begin() + first + changed, m_rows.begin() + first + before);
            endRemoveRows();
        } else if (after > before) {
            beginInsertRows({}, first + changed, first + after - 1);
            m_rows.insert(m_rows.begin() + first + changed, rows.begin() + first + changed,
                          rows.begin() + first + after);
            endInsertRows();
        }
        m_rows = std::move(rows);
        if (changed > 0) emit dataChanged(index(first), index(first + changed - 1));
    }

  protected:
    std::vector<Row> m_rows;

  private:
    static constexpr int kFirstRole = Qt::UserRole + 1;
};

/// Return gadgets as a list for QML, for rows within a row; an independent list is a RowModel.
template <class Rows> QVariantList rowList(const Rows& rows) {
    QVariantList list;
    for (const auto& row : rows) list.append(QVariant::fromValue(row));
    return list;
}

}  // namespace weir::editor
