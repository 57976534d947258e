#include "core/text/fuzzy_match.h"

namespace weir::editor {

int fuzzyScore(const QString& pattern, const QString& text) {
    constexpr int kRun = 5;
    constexpr int kWordStart = 8;
    int total = 1;
    int position = 0;
    int previous = -2;
    for (const QChar wanted : pattern.toLower()) {
        if (wanted == u' ') continue;
        const int found = static_cast<int>(text.indexOf(wanted, position, Qt::CaseInsensitive));
        if (found < 0) return 0;
        const bool wordStart = found == 0 || !text[found - 1].isLetterOrNumber();
        total += 1 + (found == previous + 1 ? kRun : 0) + (wordStart ? kWordStart : 0);
        previous = found;
        position = found + 1;
    }
    return total;
}

} // namespace weir::editor
