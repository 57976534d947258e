#pragma once

#include "core/rows/fact.h"
#include "features/design/design_answer.h"

#include <QString>

namespace weir::editor {

/// What was measured on the taps of a design; empty without a design.
Facts designFacts(const DesignAnswer& answer);
/// Its cutoffs, or its symbol rate: `115 kHz`, `5.00 kHz – 9.00 kHz`.
QString edgesText(const DesignAnswer& answer);

} // namespace weir::editor
