#pragma once

#include "design_answer.h"

#include <QString>
#include <QVariantList>

namespace weir::editor {

/// What was measured on the taps of a design, as {label, text}; empty without a design.
QVariantList designFacts(const DesignAnswer &answer);
/// Its cutoffs, or its symbol rate: `115 kHz`, `5.00 kHz – 9.00 kHz`.
QString edgesText(const DesignAnswer &answer);

} // namespace weir::editor
