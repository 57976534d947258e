#include "core/document/file_watch.h"

#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

namespace weir::editor {
namespace {

constexpr int kDelayMs = 120;      ///< other programs write in several steps
constexpr int kPatience = 4;       ///< checks before a file counts as deleted: editors replace files by renaming

std::array<qint64, 4> quickStamp(const QString& path) {
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0) return {};
    return {static_cast<qint64>(status.st_ino), static_cast<qint64>(status.st_size),
            static_cast<qint64>(status.st_mtim.tv_sec), static_cast<qint64>(status.st_mtim.tv_nsec)};
}

} // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &FileWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] {
        m_quick.reset();
        lookSoon();
    });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileWatch::lookSoon);
}

void FileWatch::watch(const QString& path, const FileStamp& base) {
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (path != m_path && !before.isEmpty()) m_watcher.removePaths(before);
    m_delay.stop();
    m_path = path;
    m_base = base;
    m_seen = base;
    m_quick = quickStamp(path);
    m_state = State::Same;
    m_looksForMissing = 0;
    if (!path.isEmpty()) follow();
}

void FileWatch::follow() {
    // Watch the folder, too: QFileSystemWatcher stops following a file that was replaced or deleted.
    const QString folder = QFileInfo(m_path).absolutePath();
    if (!m_watcher.directories().contains(folder) && QFileInfo(folder).isDir()) m_watcher.addPath(folder);
    if (!m_watcher.files().contains(m_path) && QFileInfo::exists(m_path)) m_watcher.addPath(m_path);
}

void FileWatch::lookSoon() {
    if (!m_path.isEmpty()) m_delay.start();
}

void FileWatch::look() {
    if (!QFileInfo::exists(m_path) && m_state != State::Missing && ++m_looksForMissing < kPatience) {
        m_delay.start();
        return;
    }
    check(false);
}

FileWatch::State FileWatch::check(bool thorough) {
    if (m_path.isEmpty()) return State::Same;
    follow();
    m_looksForMissing = 0;
    const auto quick = quickStamp(m_path);
    if (!thorough && quick == m_quick) return m_state;
    m_quick = quick;
    const FileStamp now = FileStamp::ofFile(m_path);
    if (now == m_seen) return m_state;
    m_seen = now;
    m_state = !now.exists ? State::Missing : now == m_base ? State::Same : State::Changed;
    emit changed(m_state);
    return m_state;
}

} // namespace weir::editor
