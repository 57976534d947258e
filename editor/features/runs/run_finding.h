#pragma once

#include "core/runs/run_loads.h"

namespace weir::editor {

/// One sentence for who asks which block is slow: its name, where a profile says it; else what the numbers that there are
/// do not say. Empty where nothing was counted.
QString findingOf(const RunLoads& loads);

/// `3 sources together`: what the throughput is of; empty where there is one.
QString togetherText(const RunLoads& loads);

/// A buffer that was this full in the mean made its writer wait.
inline bool isFull(double fill) { return fill >= 0.9; }
/// Return the meaning of a full buffer for the blocks at its ends.
QString backPressureText();
/// Return why a stream within a worker has no fill.
QString withinWorkerText();

}  // namespace weir::editor
