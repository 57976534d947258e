#pragma once

#include "block_model.h"
#include "run_loads.h"

namespace weir::editor {

/// What a run measured of a block, in the words and colours of the canvas: its share of the work time where that was
/// measured, else what it was given a call, and, without a colour, how busy its worker was.
BlockModel::Load shownLoad(const RunLoads &loads, const QString &block, const BlockLoad &load);

} // namespace weir::editor
