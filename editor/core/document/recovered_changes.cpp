#include "core/document/recovered_changes.h"

#include "core/document/spelling.h"
#include "core/json/json_reader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace weir::editor {
namespace {

RecoveredChanges readChanges(const QString& file) {
    RecoveredChanges changes;
    changes.file = file;
    changes.written = QFileInfo(file).lastModified();
    QFile device(file);
    if (!device.open(QIODevice::ReadOnly)) {
        changes.damage = device.errorString();
        return changes;
    }
    const QByteArray about = device.readLine(kMaximumBytes);
    const auto header = readJson(about.toStdString());
    auto document = readJson(device.readAll().toStdString());
    const Json* entry = std::get_if<Json>(&header);
    Json* json = std::get_if<Json>(&document);
    if (!entry || !member(*entry, "weir_recovery") || !json || !json->is_object()) {
        const auto* error = std::get_if<ReadError>(&document);
        changes.damage = error ? QString::fromStdString(error->message)
                               : QCoreApplication::translate("RecoveredChanges", "it contains no project");
        return changes;
    }
    changes.path = string(*entry, "path");
    changes.baseHash = QByteArray::fromStdString(text(member(*entry, "base_hash")));
    for (const Json& run : list(member(*entry, "runs")))
        if (run.is_string()) changes.runs.append(QString::fromStdString(run.get<std::string>()));
    changes.document = std::move(*json);
    usePresentSpelling(changes.document);
    return changes;
}

} // namespace

QString RecoveredChanges::name() const {
    return path.isEmpty() ? QCoreApplication::translate("RecoveredChanges", "untitled") : projectStem(path);
}

void RecoveredChanges::forget() {
    QFile::remove(file);
    lock.reset();
}

std::vector<RecoveredChanges> takeRecoveredChanges(const QString& folder) {
    std::vector<RecoveredChanges> found;
    const QDir directory(folder);
    for (const QString& name : directory.entryList(QDir::Files, QDir::Name)) {
        // NAME.weir-recovery, its lock, and NAME.weir-recovery.XXXXXX of an interrupted write
        const QString base = directory.filePath(name.section(u'.', 0, 0));
        auto lock = std::make_unique<QLockFile>(base + QStringLiteral(".lock"));
        lock->setStaleLockTime(0);
        if (!QFile::exists(directory.filePath(name)) || !lock->tryLock(0)) continue;
        if (!name.endsWith(kRecoverySuffix)) {
            if (name.contains(kRecoverySuffix + QChar(u'.'))) QFile::remove(directory.filePath(name));
            continue;
        }
        RecoveredChanges changes = readChanges(directory.filePath(name));
        changes.lock = std::move(lock);
        found.push_back(std::move(changes));
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.written > b.written; });
    return found;
}

} // namespace weir::editor
