#pragma once

#include "core/runs/run_loads.h"

namespace weir::editor {

/// Return one sentence about the slow block: its name if a profile shows it; else what the available numbers do not
/// show. Empty if nothing was counted.
QString findingOf(const RunLoads& loads);

/// Return the number of sources in the throughput: `3 sources together`; empty for one.
QString togetherText(const RunLoads& loads);

/// Return whether a buffer with this mean fill made its writer wait.
inline bool isFull(double fill) { return fill >= 0.9; }
/// Return the meaning of a full buffer for the blocks at its ends.
QString backPressureText();
/// Return why a stream within a worker has no fill.
QString withinWorkerText();

}  // namespace weir::editor
