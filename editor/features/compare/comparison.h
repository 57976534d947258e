#pragma once

#include "core/json/json.h"
#include "features/plots/plots.h"
#include "shell/tables/table_model.h"

namespace weir::editor {

/// Answer of `weir compare --json` on one pair of sides, in words.
struct ComparisonView {
    QString verdict; ///< verdict as the command spells it; empty: no answer
    QString says; ///< subject of the verdict: throughput better, latency worse
    /// True if another metric changed in the opposite direction to the gate: `says` names it.
    bool mixed = false;
    QString because;
    QString summary;
    bool fromPairs = false;  ///< estimated over pairs of runs, so a difference is not the ratio of its two medians
    QString gate;
    QString design;
    bool sameWork = true;
    double threshold = 1;
    double confidence = 0.95;
    QString headline;  ///< the first remarks on both sides, shortened, and the number of the rest
    QStringList remarks;  ///< other differences between the sides; runs that do not count, or have a warning
    std::vector<Interval> intervals;
    bool uncertain = false;  ///< a difference comes from very short windows, and the table marks it with a star
    bool doubtful = false;  ///< the difference of the gate is uncertain, and so is the verdict
};

ComparisonView readComparison(const Json& answer);
/// Return a verdict of the command in words.
QString verdictText(const QString& verdict);
void fillMetricTable(TableModel& table, const Json& answer);
void fillDifferenceTable(TableModel& table, const Json& answer);

}  // namespace weir::editor
