#pragma once

#include "core/json/json.h"
#include "core/problems/problem_model.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A phase of `--progress=json` in words: "compiling", "waiting for another run", "running", "reading the trace".
QString phaseText(const QString& phase);

/// "0:07", "12:30", "1:02:03".
QString clockText(double seconds);

/// Return why runs failed, one problem for each error, each with its block if the runtime
/// names one, and each once.
std::vector<Problem> problemsOfRuns(const Json& results, const Json& project);

/// Return the folder of run directories: `runs` beside the project; for a project without a file, or in a read-only
/// folder, a folder of the user's cache.
QString runsFolder(const QString& projectPath);

} // namespace weir::editor
