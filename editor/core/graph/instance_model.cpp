#include "core/graph/instance_model.h"

#include <QHash>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr int kShownRows = 8;
constexpr int kShownColumns = 6;

/// The number after `[` or `@p` in an instance's name; 0 where it has none.
int numberAfter(const QString& name, const QString& sign) {
    const auto at = name.indexOf(sign);
    if (at < 0) return 0;
    auto end = at + sign.size();
    while (end < name.size() && name[end].isDigit()) ++end;
    return name.mid(at + sign.size(), end - at - sign.size()).toInt();
}

} // namespace

std::vector<Instance> instancesOf(const Json& plan, const QStringList& blocks) {
    std::vector<Instance> found;
    for (const Json& entry : list(member(plan, "blocks"))) {
        const QString block = string(entry, "block");
        const QString name = string(entry, "instance");
        if (blocks.contains(block) && !name.isEmpty())
            found.push_back({name, block, string(entry, "worker"), numberAfter(name, QStringLiteral("[")),
                             numberAfter(name, QStringLiteral("@p"))});
    }
    return found;
}

int InstanceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_cells.size());
}

QVariant InstanceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Cell& cell = m_cells[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case NameRole: return cell.instance.name;
        case WorkerRole: return cell.instance.worker;
        case RowRole: return cell.row;
        case ColumnRole: return cell.column;
        case FirstInRowRole: return cell.column == 0;
        default: return {};
    }
}

QHash<int, QByteArray> InstanceModel::roleNames() const {
    return {{NameRole, "name"},
            {WorkerRole, "worker"},
            {RowRole, "row"},
            {ColumnRole, "column"},
            {FirstInRowRole, "firstInRow"}};
}

void InstanceModel::setInstances(std::vector<Instance> instances) {
    beginResetModel();
    m_cells.clear();
    m_rows = m_columns = m_hidden = 0;
    QHash<QString, int> rowOf;
    for (Instance& instance : instances) {
        const QString key = QStringLiteral("%1@%2").arg(instance.block).arg(instance.pipe);
        const int row = rowOf.value(key, static_cast<int>(rowOf.size()));
        rowOf.insert(key, row);
        if (row >= kShownRows || instance.copy >= kShownColumns) {
            ++m_hidden;
            continue;
        }
        m_rows = std::max(m_rows, row + 1);
        m_columns = std::max(m_columns, instance.copy + 1);
        const int column = instance.copy;
        m_cells.push_back({std::move(instance), row, column});
    }
    endResetModel();
}

} // namespace weir::editor
