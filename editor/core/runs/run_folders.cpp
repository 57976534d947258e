#include "core/runs/run_folders.h"

#include "core/document/project_file.h"
#include "core/json/canonical_json.h"
#include "core/json/json_reader.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

namespace weir::editor {
namespace {

const auto kResults = QStringLiteral("/results.json");

bool copyFolder(const QString& from, const QString& to) {
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

bool moveFolder(const QString& from, const QString& to) {
    if (from == to) return true;
    if (QFileInfo::exists(to)) return false;
    if (QDir().rename(from, to)) return true;
    const bool copied = copyFolder(from, to);
    QDir(copied ? from : to).removeRecursively();
    return copied;
}

/// Writes the project's name, by which runs and sweeps are found, to its places in `results.json` or `sweep.json`.
/// Measured values stay unchanged.
bool assign(const QString& path, const QString& project) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
    Json results = jsonFrom(file.readAll());
    if (!results.is_object()) return false;
    if (string(results, "project") == project) return true;
    results["project"] = project.toStdString();
    if (const Json* at = member(results, "coordinates"); at && at->is_object())
        results["coordinates"]["project"] = project.toStdString();
    return writeWhole(file.fileName(), QByteArray::fromStdString(canonicalText(results))).isEmpty();
}

} // namespace

bool moveRuns(const QStringList& runs, const QString& folder, const QString& project) {
    bool all = runs.isEmpty() || QDir().mkpath(folder);
    for (const QString& run : runs)
        all = assign(run + kResults, project) && moveFolder(run, folder + u'/' + QFileInfo(run).fileName()) && all;
    return all;
}

bool moveSweep(const QString& sweep, const QString& to, const QString& project) {
    if (!assign(sweep + QStringLiteral("/sweep.json"), project)) return false;
    for (const QString& run : QDir(sweep).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (QFileInfo::exists(sweep + u'/' + run + kResults)) assign(sweep + u'/' + run + kResults, project);
    return QDir().mkpath(QFileInfo(to).absolutePath()) && moveFolder(sweep, to);
}

} // namespace weir::editor
