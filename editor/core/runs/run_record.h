#pragma once

#include "core/json/json.h"
#include "core/runs/hgrm.h"

#include <QString>

#include <limits>
#include <vector>

namespace weir::editor {

/// A named distribution, to be drawn.
struct Curve {
    QString name;
    Hgrm distribution;
    int colour = 0;     ///< index of the series
    bool thin = false;  ///< a repetition, drawn behind the median
    double p50 = std::numeric_limits<double>::quiet_NaN(); ///< ns, from results.json; NaN: too few samples
    double p99 = std::numeric_limits<double>::quiet_NaN();
};

/// Content of a run directory, as far as it can be read.
struct RunRecord {
    QString path;
    Json results;
    Json run; ///< run.json, which says how the run was made; null if it is missing
    std::vector<Curve> curves; ///< all pairs together, then each pair if the run recorded them separately
    QString fault;             ///< why there are no results
    QString curveFault;        ///< why there are results but no curves

    bool isReadable() const { return fault.isEmpty(); }
};

RunRecord readRun(const QString& folder);

/// Return `source → sink`: the instances, whose names include the pipe if there are several.
QString pairName(const Json& pair);

/// Return `status` of the results, or `damaged` without results.
QString statusOf(const RunRecord& record);
/// Return the messages of results.json, those that decide the status first.
QStringList reasonsOf(const Json& results);
/// Return warnings that do not decide the status but make the numbers doubtful: interference, or an overload.
QStringList warningsOf(const Json& results);
/// Return what the numbers do not cover, or depend on, without being doubtful: a throttle, or no verification. A short
/// window has words of its own.
QStringList notesOf(const Json& results);
/// True if workers spun on CPUs that other workers needed, so the run says little about its deployment.
bool isSpinning(const Json& results);
/// Return the percentile (0 to 1) of a field of results.json such as `p999_ns`; 0: it is no percentile.
double percentileOf(const QString& field);
/// Return why `count` latencies do not give this percentile; empty if they do, or if there are none.
QString lackingFor(double percentile, double count);
/// Return the text shown instead of such a percentile.
QString tooFewWords();
/// Return its short form for a narrow column, whose hint and accessible description give the full text.
QString tooFewInShort();
/// Return the text with the latencies that a percentile needs, and those of this run.
QString tooFewText(double percentile, double count);
/// Return the result of the verification before the measurement; empty if there was none.
QString verificationOf(const Json& results);
/// True if Weir did not verify the output of the program, or did not generate the program.
bool isUnverified(const Json& results);
/// Return the warning that a short window makes the throughput uncertain; empty if it is long enough.
QString shortWindowOf(const Json& results);
double numberOf(const Json& object, const char* key); ///< NaN: not measured

} // namespace weir::editor
