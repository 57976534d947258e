#include "features/files/places.h"

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

QStringList Places::bookmarks() const { return m_memory.value(kBookmarks).toStringList(); }

QStringList Places::recent() const { return m_memory.value(kLately).toStringList(); }

void Places::refresh(const QString& project) {
    m_project = project;
    std::vector<Place> places;
    QString last;
    const auto add = [&](const QString& title, const QString& path, const QString& section, bool bookmark = false) {
        const bool isThere =
            std::any_of(places.begin(), places.end(), [&](const Place& one) { return one.path == path; });
        if (isThere || !QFileInfo(path).isDir()) return;
        places.push_back({title.isEmpty() ? path : title, path, section == last ? QString() : section, bookmark});
        last = section;
    };
    const QString usual = tr("Places");
    if (!project.isEmpty()) add(tr("Beside the project"), project, usual);
    add(tr("Home"), QDir::homePath(), usual);
    add(tr("Documents"), QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation), usual);
    for (const QString& folder : bookmarks()) add(QFileInfo(folder).fileName(), folder, tr("Bookmarks"), true);
    for (const QString& folder : recent()) add(QFileInfo(folder).fileName(), folder, tr("Recent"));
    m_rows.setRows({}); // forces a reset of the list
    m_rows.setRows(std::move(places));
}

void Places::setBookmark(const QString& folder, bool bookmark) {
    QStringList folders = bookmarks();
    folders.removeAll(folder);
    if (bookmark) folders.append(folder);
    m_memory.setValue(kBookmarks, folders);
    refresh(m_project);
}

void Places::visited(const QString& folder) {
    QStringList folders = recent();
    folders.removeAll(folder);
    folders.prepend(folder);
    m_memory.setValue(kLately, folders.mid(0, kMostFolders));
}

} // namespace weir::editor
