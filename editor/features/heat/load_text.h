#pragma once

#include "block_model.h"
#include "fact.h"
#include "run_loads.h"

namespace weir::editor {

/// What a run measured of a block, in the words and colours of the canvas: its share of the work time where that was
/// measured, else what it was given a call, and, without a colour, how busy its worker was.
BlockModel::Load shownLoad(const RunLoads &loads, const QString &block, const BlockLoad &load);
/// What the pills of these blocks say of workers: words in the shape of a pill, and what it means; each kind that there
/// is once.
Facts pillKinds(const RunLoads &loads);

} // namespace weir::editor
