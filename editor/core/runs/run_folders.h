#pragma once

#include <QString>
#include <QStringList>

namespace weir::editor {

/// Moves run directories into `folder`, which is created, even on another file system. Sets their project's name to
/// `project`. Returns false if some could not be moved; those stay whole.
bool moveRuns(const QStringList& runs, const QString& folder, const QString& project);
/// Moves the folder of a sweep to `to`, with all of its runs, in the same way.
bool moveSweep(const QString& sweep, const QString& to, const QString& project);

}  // namespace weir::editor
