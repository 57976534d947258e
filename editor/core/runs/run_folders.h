#pragma once

#include <QString>
#include <QStringList>

namespace weir::editor {

/// Moves run directories into another folder, which is made, onto another file system too. False: some stayed where they
/// were, whole.
bool moveRuns(const QStringList &runs, const QString &folder);

} // namespace weir::editor
