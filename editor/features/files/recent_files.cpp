#include "features/files/recent_files.h"

#include "core/document/project_file.h"
#include "shell/session/memory.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qsizetype kMost = 12;
const QString kKey = QStringLiteral("recent_files");

} // namespace

RecentFiles::RecentFiles(Memory& memory, QObject* parent) : QAbstractListModel(parent), m_memory(memory) {}

int RecentFiles::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_paths.size());
}

QVariant RecentFiles::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const QString& path = m_paths[index.row()];
    switch (role) {
        case PathRole: return path;
        case Qt::DisplayRole:
        case NameRole: return projectStem(path);
        case FolderRole: {
            const QString folder = QFileInfo(path).path();
            const QString home = QDir::homePath();
            return folder == home || folder.startsWith(home + u'/') ? u'~' + folder.mid(home.size()) : folder;
        }
        case MissingRole: return m_missing[index.row()];
        default: return {};
    }
}

QHash<int, QByteArray> RecentFiles::roleNames() const {
    return {{PathRole, "path"}, {NameRole, "name"}, {FolderRole, "folder"}, {MissingRole, "missing"}};
}

int RecentFiles::firstBut(const QString& path) const {
    for (int row = 0; row < m_paths.size(); ++row)
        if (m_paths[row] != path && !m_missing[row]) return row;
    return -1;
}

void RecentFiles::add(const QString& path) {
    // Keep files that another window has opened since.
    QStringList paths = m_memory.value(kKey).toStringList();
    paths.removeAll(path);
    paths.prepend(path);
    setPaths(paths.mid(0, kMost));
}

void RecentFiles::forget(const QString& path) {
    QStringList paths = m_memory.value(kKey).toStringList();
    paths.removeAll(path);
    setPaths(paths);
}

void RecentFiles::refresh() { show(m_memory.value(kKey).toStringList()); }

void RecentFiles::setPaths(const QStringList& paths) {
    m_memory.setValue(kKey, paths);
    show(paths);
}

void RecentFiles::show(const QStringList& paths) {
    beginResetModel();
    m_paths = paths;
    m_missing.clear();
    for (const QString& path : paths) m_missing.append(!QFileInfo::exists(path));
    endResetModel();
    emit countChanged();
}

void RecentFilter::setTyped(const QString& typed) {
    m_words = typed.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
    emit typedChanged();
}

QString RecentFilter::firstPath() const {
    for (int row = 0; row < rowCount(); ++row)
        if (const QModelIndex at = index(row, 0); !at.data(RecentFiles::MissingRole).toBool())
            return at.data(RecentFiles::PathRole).toString();
    return {};
}

bool RecentFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex at = sourceModel()->index(row, 0, parent);
    const QString shown =
        at.data(RecentFiles::FolderRole).toString() + u'/' + at.data(RecentFiles::NameRole).toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return shown.contains(word, Qt::CaseInsensitive); });
}

} // namespace weir::editor
