#pragma once

#include "core/json/json.h"

#include <QString>

namespace weir::editor {

/// Return a sentence of the command line for the window: `code` stands in backticks in a terminal, here in quotation
/// marks. Every shown sentence goes through this; the log has the lines unchanged.
QString prose(QString sentence);
/// Return a member of an answer as prose.
QString prose(const Json& answer, const char* key);
/// Return the start of such a sentence, without amount and reason: `5 workers share 2 CPUs of this machine`. A prefix,
/// as in `A: 5 workers`, stays.
QString firstWords(const QString& sentence);
/// Return the text up to the first full stop; an ellipsis is none.
QString firstSentence(const QString& text);

}  // namespace weir::editor
