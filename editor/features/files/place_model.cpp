#include "features/files/place_model.h"

#include "shell/session/memory.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qsizetype kMostFolders = 6;
const QString kBookmarks = QStringLiteral("folders/bookmarks");
const QString kLately = QStringLiteral("folders/recent");

} // namespace

PlaceModel::PlaceModel(Memory& memory, QObject* parent) : QAbstractListModel(parent), m_memory(memory) {}

int PlaceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_places.size());
}

QVariant PlaceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Place& place = m_places[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case TitleRole: return place.title;
        case PathRole: return place.path;
        case HeadingRole: {
            const bool isFirst =
                index.row() == 0 || m_places[static_cast<std::size_t>(index.row() - 1)].section != place.section;
            return isFirst ? place.section : QString();
        }
        case BookmarkRole: return place.bookmark;
        default: return {};
    }
}

QHash<int, QByteArray> PlaceModel::roleNames() const {
    return {{TitleRole, "title"}, {PathRole, "path"}, {HeadingRole, "heading"}, {BookmarkRole, "bookmark"}};
}

QStringList PlaceModel::bookmarks() const { return m_memory.value(kBookmarks).toStringList(); }

QStringList PlaceModel::recent() const { return m_memory.value(kLately).toStringList(); }

void PlaceModel::add(const QString& title, const QString& path, const QString& section, bool bookmark) {
    const bool isThere =
        std::any_of(m_places.begin(), m_places.end(), [&](const Place& one) { return one.path == path; });
    if (!isThere && QFileInfo(path).isDir())
        m_places.push_back({title.isEmpty() ? path : title, path, section, bookmark});
}

void PlaceModel::refresh(const QString& project) {
    beginResetModel();
    m_project = project;
    m_places.clear();
    const QString places = tr("Places");
    if (!project.isEmpty()) add(tr("Beside the project"), project, places);
    add(tr("Home"), QDir::homePath(), places);
    add(tr("Documents"), QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation), places);
    for (const QString& folder : bookmarks()) add(QFileInfo(folder).fileName(), folder, tr("Bookmarks"), true);
    for (const QString& folder : recent()) add(QFileInfo(folder).fileName(), folder, tr("Recent"));
    endResetModel();
}

void PlaceModel::setBookmark(const QString& folder, bool bookmark) {
    QStringList folders = bookmarks();
    folders.removeAll(folder);
    if (bookmark) folders.append(folder);
    m_memory.setValue(kBookmarks, folders);
    refresh(m_project);
}

void PlaceModel::visited(const QString& folder) {
    QStringList folders = recent();
    folders.removeAll(folder);
    folders.prepend(folder);
    m_memory.setValue(kLately, folders.mid(0, kMostFolders));
}

} // namespace weir::editor
