#include "core/text/line_difference.h"

#include <algorithm>

namespace weir::editor {
namespace {

using Kind = DifferenceLine::Kind;

constexpr std::size_t kLargestTable = std::size_t{1} << 23;

/// Finds the longest common subsequence of the lines between the equal ends; a middle that is too long counts as
/// changed.
void compareMiddles(const QStringList& before, const QStringList& after, std::vector<DifferenceLine>& out) {
    const auto rows = static_cast<std::size_t>(before.size());
    const auto columns = static_cast<std::size_t>(after.size());
    std::size_t i = 0;
    std::size_t j = 0;
    if ((rows + 1) * (columns + 1) <= kLargestTable) {
        std::vector<std::vector<int>> common(rows + 1, std::vector<int>(columns + 1, 0));
        for (std::size_t row = rows; row-- > 0;)
            for (std::size_t column = columns; column-- > 0;)
                common[row][column] = before[static_cast<int>(row)] == after[static_cast<int>(column)]
                                          ? common[row + 1][column + 1] + 1
                                          : std::max(common[row + 1][column], common[row][column + 1]);
        while (i < rows && j < columns) {
            if (before[static_cast<int>(i)] == after[static_cast<int>(j)]) {
                out.push_back({Kind::Same, before[static_cast<int>(i)]});
                ++i;
                ++j;
            } else if (common[i + 1][j] >= common[i][j + 1]) {
                out.push_back({Kind::Removed, before[static_cast<int>(i++)]});
            } else {
                out.push_back({Kind::Added, after[static_cast<int>(j++)]});
            }
        }
    }
    while (i < rows) out.push_back({Kind::Removed, before[static_cast<int>(i++)]});
    while (j < columns) out.push_back({Kind::Added, after[static_cast<int>(j++)]});
}

std::vector<DifferenceLine> withoutFarLines(const std::vector<DifferenceLine>& lines, int context) {
    std::vector<bool> near(lines.size(), false);
    const int count = static_cast<int>(lines.size());
    for (int index = 0; index < count; ++index)
        if (lines[static_cast<std::size_t>(index)].kind != Kind::Same)
            for (int at = std::max(0, index - context); at <= std::min(count - 1, index + context); ++at)
                near[static_cast<std::size_t>(at)] = true;
    std::vector<DifferenceLine> result;
    for (std::size_t index = 0; index < lines.size(); ++index) {
        if (near[index]) result.push_back(lines[index]);
        else if (result.empty() || result.back().kind != Kind::Gap) result.push_back({Kind::Gap, QStringLiteral("…")});
    }
    return result;
}

} // namespace

std::vector<DifferenceLine> lineDifference(const QString& before, const QString& after, int context) {
    if (before == after) return {};
    const QStringList old = before.split(u'\n');
    const QStringList fresh = after.split(u'\n');
    const auto shorter = std::min(old.size(), fresh.size());
    qsizetype head = 0;
    while (head < shorter && old[head] == fresh[head]) ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail]) ++tail;

    std::vector<DifferenceLine> lines;
    for (qsizetype index = 0; index < head; ++index) lines.push_back({Kind::Same, old[index]});
    compareMiddles(old.mid(head, old.size() - head - tail), fresh.mid(head, fresh.size() - head - tail), lines);
    for (qsizetype index = old.size() - tail; index < old.size(); ++index) lines.push_back({Kind::Same, old[index]});
    return context < 0 ? lines : withoutFarLines(lines, context);
}

} // namespace weir::editor
