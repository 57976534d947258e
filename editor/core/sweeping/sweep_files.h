#pragma once

#include "core/json/json.h"

#include <QString>

namespace weir::editor {

/// Null where the file cannot be read.
Json jsonIn(const QString& path);

/// Return the newest folder in `place` with the name of the sweep, such as `stages` or `stages-2`, that has a sweep of
/// the project with that name; empty: there is none.
QString newestSweep(const QString& place, const QString& sweep, const QString& project);
/// A folder that is not there yet.
QString freeSweepFolder(const QString& place, const QString& sweep);

}  // namespace weir::editor
