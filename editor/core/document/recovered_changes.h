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

/// Unsaved changes of an editor that is gone. The lock is held here, so that no other editor offers them too.
struct RecoveredChanges {
    QString file;
    QString path; ///< of the project, empty where it had none
    QByteArray baseHash;
    QDateTime written;
    Json document;
    QStringList runs; ///< folders that were made of it while it had no file
    QString damage; ///< why the file cannot be used, or empty
    std::unique_ptr<QLockFile> lock;

    QString name() const;
    /// Removes the file; the changes are in safety elsewhere, or unwanted.
    void forget();
};

/// Takes what dead editors left in the folder, the newest first, and cleans up what they left of unfinished writes.
std::vector<RecoveredChanges> takeRecoveredChanges(const QString& folder);

} // namespace weir::editor
