#pragma once

#include "core/json/json.h"

#include <QString>

namespace weir::editor {

/// Return the JSON of the file; null if it cannot be read.
Json jsonIn(const QString& path);

/// Return the newest folder in `place` named after the sweep, such as `stages` or `stages-2`, that holds results of
/// this sweep of the project; empty: there is none.
QString newestSweep(const QString& place, const QString& sweep, const QString& project);
/// Return a folder name that is not taken.
QString freeSweepFolder(const QString& place, const QString& sweep);

}  // namespace weir::editor
