#include "features/files/file_chooser.h"

#include "features/files/typed_path.h"
#include "shell/session/memory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qsizetype kLongestName = 255; ///< bytes: the limit of Linux file systems
const QString kHiddenFiles = QStringLiteral("folders/hidden");

/// Return the folder, or the nearest parent that exists.
QString thatIsThere(QString folder) {
    while (!QFileInfo(folder).isDir() && folder != QDir::rootPath() && !folder.isEmpty())
        folder = QFileInfo(folder).path();
    return folder.isEmpty() ? QDir::homePath() : QDir::cleanPath(folder);
}

} // namespace

FileChooser::FileChooser(Memory& memory, Document& document, QObject* parent)
    : QObject(parent), m_memory(memory), m_document(document), m_places(memory) {
    connect(&m_entries, &FolderModel::orderChanged, this,
            [this] { m_memory.setValue(kHiddenFiles, m_entries.showsHidden()); });
}

QString FileChooser::projectFolder() const {
    return m_document.path().isEmpty() && m_document.origin().isEmpty() ? QString() : m_document.folder();
}

QStringList FileChooser::suffixes() const { return typed::suffixesOf(m_filters.value(m_filter)); }

QStringList FileChooser::way() const {
    QStringList folders;
    for (QString at = folder(); !at.isEmpty(); at = QFileInfo(at).path()) {
        folders.prepend(at);
        if (at == QDir::rootPath()) break;
    }
    return folders;
}

void FileChooser::begin(Mode mode, const QStringList& filters, const QUrl& folder) {
    m_mode = mode;
    m_filters = filters;
    m_filter = 0;
    m_entries.setShowsHidden(m_memory.value(kHiddenFiles, false).toBool());
    m_entries.setSuffixes(suffixes());
    m_places.refresh(projectFolder());
    clear();
    emit filterChanged();
    m_base = thatIsThere(folder.toLocalFile());
    m_entries.setPrefix({});
    show(m_base);
}

void FileChooser::end() {
    m_entries.rest();
    emit folderChanged();
}

void FileChooser::show(const QString& folder) {
    m_entries.show(folder);
    emit folderChanged();
    emit bookmarkedChanged();
}

void FileChooser::setFilter(int filter) {
    if (filter == m_filter || filter < 0 || filter >= m_filters.size()) return;
    m_filter = filter;
    m_entries.setSuffixes(suffixes());
    emit filterChanged();
}

void FileChooser::ask(const QString& problem, const QString& replaced) {
    m_problem = problem;
    m_replaced = replaced;
    m_absent.clear();
    emit questionChanged();
}

void FileChooser::clear() {
    setTypedFile({});
    ask({}, {});
}

void FileChooser::setTypedFile(const QString& file) {
    if (file == m_typedFile) return;
    m_typedFile = file;
    emit typedFileChanged();
}

void FileChooser::follow(const QString& text) {
    clear();
    const QString path = text.isEmpty() ? QString() : meant(typed::resolve(text, m_base));
    setTypedFile(QFileInfo(path).isFile() ? path : QString());
    const typed::Parts parts = typed::split(text);
    const QString there = parts.folder.isEmpty() ? m_base : typed::resolve(parts.folder, m_base);
    const bool isThere = QFileInfo(there).isDir();
    // A new name does not filter the existing ones.
    m_entries.setPrefix(isThere && m_mode != SaveFile ? parts.name : QString());
    if (const QString shown = isThere ? there : m_base; shown != folder()) show(shown);
}

QString FileChooser::complete(const QString& text) const {
    return typed::complete(text, m_base, suffixes(), m_entries.showsHidden());
}

void FileChooser::goTo(const QString& folder) {
    const QFileInfo info(folder);
    if (!info.isDir()) return ask(missing(folder, true), {});
    clear();
    m_base = QDir::cleanPath(info.absoluteFilePath());
    m_entries.setPrefix({});
    show(m_base);
    emit moved();
}

void FileChooser::goUp() { goTo(QFileInfo(folder()).path()); }

void FileChooser::enter(const QString& text) {
    if (text.isEmpty()) return ask(tr("Type a name, or choose one from the list."), {});
    const QString path = typed::resolve(text, m_base);
    if (QFileInfo(path).isDir()) return goTo(path);
    if (text.endsWith(u'/')) return ask(missing(path, true), {});
    m_mode == SaveFile ? save(path) : open(path);
}

QString FileChooser::missing(const QString& path, bool isFolder) const {
    const QFileInfo info(path);
    if (info.exists()) return tr("%1 is not a folder.").arg(path);
    if (!QFileInfo(info.path()).isDir()) return tr("The folder %1 does not exist.").arg(info.path());
    return isFolder ? tr("The folder %1 does not exist.").arg(path)
                    : tr("The file %1 does not exist in %2.").arg(info.fileName(), info.path());
}

/// Return the meant file: a name without a suffix means the file with the suffix, unless one without exists.
QString FileChooser::meant(const QString& path) const {
    QString file = path;
    if (!QFileInfo::exists(file))
        for (const QString& suffix : suffixes())
            if (QFileInfo(path + suffix).isFile()) file = path + suffix;
    return file;
}

void FileChooser::open(const QString& path) {
    const QString file = meant(path);
    if (!QFileInfo::exists(file)) ask(missing(path, false), {});
    else if (!QFileInfo(file).isReadable()) ask(tr("%1 cannot be read: permission is denied.").arg(file), {});
    else take(file);
}

void FileChooser::save(const QString& path) {
    const QFileInfo info(path);
    const QString file = QDir(info.path()).filePath(named(info.fileName()));
    const QFileInfo folder(info.path());
    const QFileInfo old(file);
    if (!folder.isDir()) {
        ask(folder.exists()
                ? missing(info.path(), true)
                : tr("The folder %1 does not exist. Press Enter again to create it and save.").arg(info.path()),
            {});
        m_absent = folder.exists() ? QString() : file;
        emit questionChanged();
    } else if (QFile::encodeName(old.fileName()).size() > kLongestName) {
        ask(tr("The name is too long."), {});
    } else if (old.exists() && !old.isFile()) {
        ask(tr("%1 is not a file.").arg(file), {});
    } else if (!folder.isWritable() || (old.exists() && !old.isWritable())) {
        ask(tr("%1 cannot be written: permission is denied.").arg(file), {});
    } else if (old.exists()) {
        ask({}, file);
    } else {
        take(file);
    }
}

void FileChooser::makeAbsent() {
    const QString file = m_absent;
    if (file.isEmpty()) return;
    if (QDir().mkpath(QFileInfo(file).path())) save(file);
    else ask(tr("The folder %1 cannot be created.").arg(QFileInfo(file).path()), {});
}

void FileChooser::replace() {
    if (!m_replaced.isEmpty()) take(QString(m_replaced));
}

void FileChooser::take(const QString& path) {
    m_places.visited(QFileInfo(path).path());
    clear();
    emit chosen(QUrl::fromLocalFile(path));
}

bool FileChooser::makeFolder(const QString& name) {
    const QString path = typed::resolve(name, folder());
    if (name.isEmpty() || QFileInfo::exists(path)) {
        ask(name.isEmpty() ? tr("The new folder needs a name.") : tr("%1 already exists.").arg(path), {});
        return false;
    }
    if (!QDir().mkpath(path)) {
        ask(tr("The folder %1 cannot be created.").arg(path), {});
        return false;
    }
    goTo(path);
    return true;
}

void FileChooser::setBookmark(const QString& folder, bool bookmark) {
    m_places.setBookmark(folder, bookmark);
    emit bookmarkedChanged();
}

int FileChooser::stemLength(const QString& name) const {
    qsizetype length = name.size();
    for (const QString& filter : m_filters)
        for (const QString& suffix : typed::suffixesOf(filter))
            if (name.endsWith(suffix, Qt::CaseInsensitive)) length = std::min(length, name.size() - suffix.size());
    return static_cast<int>(length);
}

QString FileChooser::named(const QString& name) const {
    // `p.json` is also a complete project name. `p.png` is not an SVG, and `p.5` lacks a suffix.
    const QString suffix = suffixes().value(0);
    const QString last = u'.' + suffix.section(u'.', -1);
    const bool isWhole = suffix.isEmpty() || stemLength(name) < name.size() || name.endsWith(last, Qt::CaseInsensitive);
    return isWhole ? name : name + suffix;
}

QString FileChooser::withSuffix(const QString& name) const {
    return name.isEmpty() ? name : name.left(stemLength(name)) + suffixes().value(0);
}

} // namespace weir::editor
