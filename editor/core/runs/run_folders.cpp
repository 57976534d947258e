#include "run_folders.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

namespace weir::editor {
namespace {

bool copyFolder(const QString &from, const QString &to)
{
    bool done = QDir().mkpath(to);
    QDirIterator entries(from, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    while (done && entries.hasNext()) {
        const QString entry = entries.next();
        const QString copy = to + u'/' + entries.fileName();
        const QFileInfo info = entries.fileInfo();
        done = info.isSymbolicLink() ? QFile::link(info.symLinkTarget(), copy)
               : info.isDir()        ? copyFolder(entry, copy)
                                     : QFile::copy(entry, copy);
    }
    return done;
}

bool moveFolder(const QString &from, const QString &to)
{
    if (QFileInfo::exists(to))
        return false;
    if (QDir().rename(from, to))
        return true;
    const bool copied = copyFolder(from, to);
    QDir(copied ? from : to).removeRecursively();
    return copied;
}

} // namespace

bool moveRuns(const QStringList &runs, const QString &folder)
{
    bool all = runs.isEmpty() || QDir().mkpath(folder);
    for (const QString &run : runs)
        all = moveFolder(run, folder + u'/' + QFileInfo(run).fileName()) && all;
    return all;
}

} // namespace weir::editor
