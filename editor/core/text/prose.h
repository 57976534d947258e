#pragma once

#include "core/json/json.h"

#include <QString>

namespace weir::editor {

/// What the command line says, in a window: in a terminal `code` stands in backticks, here in quotation marks. Whatever of
/// its sentences is shown is read with this; the log has its lines as they are.
QString prose(QString sentence);
/// The same of a member of an answer.
QString prose(const Json& answer, const char* key);
/// What such a sentence says first, without how much and why: `5 workers share 2 CPUs of this machine`. What it begins
/// with, as in `A: 5 workers`, stays.
QString firstWords(const QString& sentence);
/// Up to the first full stop, which no ellipsis is.
QString firstSentence(const QString& text);

}  // namespace weir::editor
