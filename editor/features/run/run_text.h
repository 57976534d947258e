#pragma once

#include "core/json/json.h"
#include "core/problems/problem_model.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// Return a phase of `--progress=json` in words: "compiling", "waiting for another run", "running", "reading the
/// trace".
QString phaseText(const QString& phase);

/// Return seconds as "0:07", "12:30" or "1:02:03".
QString clockText(double seconds);

/// Return the errors of failed runs as problems, each once, with the block if the runtime names one.
std::vector<Problem> problemsOfRuns(const Json& results, const Json& project);

/// Return the folder of run directories: `runs` beside the project. A project without a file, or in a read-only folder,
/// uses a folder in the user's cache.
QString runsFolder(const QString& projectPath);

}  // namespace weir::editor
