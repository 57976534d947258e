#include "features/run/log_model.h"

#include <QRegularExpression>

#include <algorithm>

namespace weir::editor {

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case TextRole: return line.text;
        case LevelRole: return line.level;
        default: return {};
    }
}

QHash<int, QByteArray> LogModel::roleNames() const {
    return {{Qt::DisplayRole, "display"}, {TextRole, "text"}, {LevelRole, "level"}};
}

QString LogModel::levelOf(const QString& line) {
    static const QRegularExpression error(QStringLiteral("\\berror\\b|\\bE_[A-Z]|\\bfailed\\b"),
                                          QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression warning(QStringLiteral("\\bwarning\\b|\\bW_[A-Z]"),
                                            QRegularExpression::CaseInsensitiveOption);
    if (line.startsWith(QStringLiteral("    hint:"))) return QStringLiteral("hint");
    if (warning.match(line).hasMatch()) return QStringLiteral("warning");
    return error.match(line).hasMatch() ? QStringLiteral("error") : QStringLiteral("info");
}

void LogModel::append(const QStringList& lines) {
    const QStringList kept = lines.mid(std::max<qsizetype>(lines.size() - kMostLines, 0));
    if (kept.isEmpty()) return;
    if (const int over = rowCount() + static_cast<int>(kept.size()) - kMostLines; over > 0) {
        beginRemoveRows({}, 0, over - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + over);
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(kept.size()) - 1);
    for (const QString& line : kept) m_lines.push_back({line, levelOf(line)});
    endInsertRows();
}

int LogModel::warnings() const {
    // Count lines with a code only: the text about the end of a run may contain the word warning.
    return static_cast<int>(std::count_if(m_lines.begin(), m_lines.end(), [](const Line& line) {
        return line.level == QLatin1String("warning") && line.text.contains(QStringLiteral("W_"));
    }));
}

void LogModel::clear() {
    if (m_lines.empty()) return;
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

LogFilter::LogFilter(LogModel& log, QObject* parent) : QSortFilterProxyModel(parent) { setSourceModel(&log); }

void LogFilter::setWanted(const QString& text) {
    m_wanted = text;
    invalidateRowsFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return m_wanted.isEmpty() || index.data(LogModel::TextRole).toString().contains(m_wanted, Qt::CaseInsensitive) ||
           index.data(LogModel::LevelRole).toString() == m_wanted.toLower();
}

QString LogFilter::text() const {
    QString lines;
    for (int row = 0; row < rowCount(); ++row) lines += index(row, 0).data(LogModel::TextRole).toString() + u'\n';
    return lines;
}

} // namespace weir::editor
