#pragma once

#include "core/json/json.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace weir::editor {

inline const QString kRecoverySuffix = QStringLiteral(".weir-recovery");

/// Unsaved changes of an editor that has ended. Holds the lock, so that no other editor offers them, too.
struct RecoveredChanges {
    QString file;
    QString path; ///< path of the project; empty: it had no file
    QByteArray baseHash;
    QDateTime written;
    Json document;
    QStringList runs; ///< folders of the runs of a project without a file
    QString damage; ///< why the file cannot be used; empty: it can
    std::unique_ptr<QLockFile> lock;

    QString name() const;
    /// Removes the file: the changes were saved elsewhere or discarded.
    void forget();
};

/// Takes over recovery files of ended editors in the folder, the newest first, and removes interrupted writes.
std::vector<RecoveredChanges> takeRecoveredChanges(const QString& folder);

} // namespace weir::editor
