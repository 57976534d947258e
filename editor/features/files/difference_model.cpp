#include "features/files/difference_model.h"

namespace weir::editor {

int DifferenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const DifferenceLine& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == LineRole) return line.text;
    if (role != SignRole) return {};
    return line.kind == DifferenceLine::Kind::Added     ? QStringLiteral("+")
           : line.kind == DifferenceLine::Kind::Removed ? QStringLiteral("−")
                                                        : QString();
}

QHash<int, QByteArray> DifferenceModel::roleNames() const { return {{SignRole, "sign"}, {LineRole, "line"}}; }

void DifferenceModel::show(const QString& title, const QString& before, const QString& after) {
    beginResetModel();
    m_lines = lineDifference(before, after);
    endResetModel();
    m_title = title;
    emit titleChanged();
}

} // namespace weir::editor
