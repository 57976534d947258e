#pragma once

#include <QString>
#include <QStringList>

namespace weir::editor {

/// Moves run directories into another folder, which is made, onto another file system too. From then on they are runs of
/// `project`, whatever it was called when it ran. False: some stayed where they were, whole.
bool moveRuns(const QStringList& runs, const QString& folder, const QString& project);

}  // namespace weir::editor
