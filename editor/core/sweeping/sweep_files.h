#pragma once

#include "core/json/json.h"

#include <QString>

namespace weir::editor {

/// Null where the file cannot be read.
Json jsonIn(const QString& path);

/// Of the folders in `place` that are called as the sweep, as `stages` and `stages-2`, the newest that has a sweep of that name
/// of the project; empty: there is none.
QString newestSweep(const QString& place, const QString& sweep, const QString& project);
/// A folder that is not there yet.
QString freeSweepFolder(const QString& place, const QString& sweep);

}  // namespace weir::editor
