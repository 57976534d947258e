#include "core/document/project_lock.h"

#include "core/json/json_reader.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace weir::editor {
namespace {

enum class Locked { Yes, ByAnother, NotPossible };

/// Return whether the open file still has this name: its last owner may have removed the name before we got the lock.
bool isStill(int handle, const QByteArray& file) {
    struct stat opened, named;
    return ::fstat(handle, &opened) == 0 && ::stat(file.constData(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

bool isFile(int handle) {
    struct stat opened;
    return ::fstat(handle, &opened) == 0 && S_ISREG(opened.st_mode);
}

/// Return an open, locked file, or why there is none. Refuses a link or a pipe in its place.
Locked lock(const QString& file, int& handle) {
    const QByteArray name = QFile::encodeName(file);
    for (int attempt = 0; attempt < 5; ++attempt) {
        handle = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (handle < 0) return Locked::NotPossible;
        if (!isFile(handle)) {
            ::close(handle);
            return Locked::NotPossible;
        }
        if (::flock(handle, LOCK_EX | LOCK_NB) != 0) {
            const bool another = errno == EWOULDBLOCK;
            ::close(handle);
            return another ? Locked::ByAnother : Locked::NotPossible;
        }
        if (isStill(handle, name)) return Locked::Yes;
        ::close(handle);
    }
    return Locked::NotPossible;
}

ProjectLock::Owner ownerIn(const QString& file) {
    QFile device(file);
    if (!device.open(QIODevice::ReadOnly)) return {};
    const Json json = jsonFrom(device.read(4096));
    const Json* process = member(json, "process");
    return {process && process->is_number_integer() ? process->get<qint64>() : 0,
            QDateTime::fromString(string(json, "since"), Qt::ISODate)};
}

} // namespace

QString ProjectLock::fileFor(const QString& path) const {
    const QFileInfo info(path);
    const QString real = info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
    const QByteArray hash = QCryptographicHash::hash(QFile::encodeName(real), QCryptographicHash::Sha256).toHex();
    return m_folder + u'/' + QString::fromLatin1(hash.left(32)) + QStringLiteral(".open");
}

bool ProjectLock::take(const QString& path) {
    if (m_folder.isEmpty() || path.isEmpty()) {
        release();
        return true;
    }
    const QString file = fileFor(path);
    if (isHeld() && file == m_file) return true;
    release();
    QDir().mkpath(m_folder);
    int handle = -1;
    const Locked locked = lock(file, handle);
    if (locked == Locked::ByAnother) m_owner = ownerIn(file);
    if (locked != Locked::Yes) return locked == Locked::NotPossible;
    const Json about{{"path", path.toStdString()},
                     {"process", QCoreApplication::applicationPid()},
                     {"since", QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString()}};
    const std::string text = about.dump() + '\n';
    // The lock holds even if the description of its owner cannot be written.
    if (::ftruncate(handle, 0) != 0 || ::write(handle, text.data(), text.size()) < 0)
        qWarning("%s was not written", qPrintable(file));
    m_handle = handle;
    m_file = file;
    return true;
}

void ProjectLock::release() {
    if (!isHeld()) return;
    // Remove the name before the lock is released: afterwards it could belong to the next owner.
    QFile::remove(m_file);
    ::close(m_handle);
    m_handle = -1;
    m_file.clear();
}

bool ProjectLock::isTaken(const QString& path) const {
    if (m_folder.isEmpty()) return false;
    const QString file = fileFor(path);
    if (isHeld() && file == m_file) return false;
    const int handle = ::open(QFile::encodeName(file).constData(), O_RDWR | O_CLOEXEC);
    if (handle < 0) return false;
    const bool taken = ::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(handle);
    return taken;
}

} // namespace weir::editor
