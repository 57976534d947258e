#pragma once

#include "core/deployment/worker_mark.h"
#include "core/tuning/tune_answer.h"
#include "features/tuning/tune_rows.h"

#include <QHash>
#include <QVariantMap>

#include <vector>

namespace weir::editor {

/// A search for deployments in words.

TuneRow tuneRow(const TunedCandidate& candidate, const QString& own);

/// Which blocks would move, and what else would change; `before`: the deployment that the search started from, as the
/// project has it.
std::vector<TuneChange> tuneChanges(const TunedPlan& from, const Json& before, const TunedPlan& to, const Json& after);

/// Marks of the blocks that would move.
QHash<QString, WorkerMark> tuneMarks(const TunedPlan& from, const TunedPlan& to);

/// What goes on: `measuring flow-auto-w2: run 3 of 8, 4 candidates left`.
QString tunePhase(const QString& phase, const QString& deployment, double done, double total, int left);

} // namespace weir::editor
