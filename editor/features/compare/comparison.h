#pragma once

#include "core/json/json.h"
#include "features/plots/plots.h"
#include "shell/tables/table_model.h"

namespace weir::editor {

/// Answer of `weir compare --json` on one pair of sides, in words.
struct ComparisonView {
    QString verdict; ///< as the command has it; empty: there is no answer
    QString says; ///< of what the verdict is: throughput better, latency worse
    /// True if a metric beside the gate got worse where the gate got better, or the other way round: `says` names it.
    bool mixed = false;
    QString because;
    QString summary;
    bool fromPairs = false;  ///< estimated over pairs of runs, so that no difference is the ratio of its two medians
    QString gate;
    QString design;
    bool sameWork = true;
    double threshold = 1;
    double confidence = 0.95;
    QString headline;  ///< the first of the remarks about both sides, in short, and how many more there are
    QStringList remarks;  ///< what else differs than what is compared; runs that do not count, or with a warning
    std::vector<Interval> intervals;
    bool uncertain = false;  ///< some difference is of windows so short that the table has a star at it
    bool doubtful = false;  ///< that of the gate is, and the verdict with it
};

ComparisonView readComparison(const Json& answer);
/// A verdict of the command for people.
QString verdictText(const QString& verdict);
void fillMetricTable(TableModel& table, const Json& answer);
void fillDifferenceTable(TableModel& table, const Json& answer);

}  // namespace weir::editor
