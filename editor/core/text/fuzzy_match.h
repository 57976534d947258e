#pragma once

#include <QString>

namespace weir::editor {

/// Return how well `pattern` matches as a subsequence of `text`: 0 not at all, more for runs and beginnings of words.
int fuzzyScore(const QString& pattern, const QString& text);

} // namespace weir::editor
