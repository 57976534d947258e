#pragma once

#include "core/json/json.h"
#include "core/runs/hgrm.h"

#include <QString>

#include <limits>
#include <vector>

namespace weir::editor {

/// A distribution with its name, as it is drawn.
struct Curve {
    QString name;
    Hgrm distribution;
    int colour = 0;     ///< index of the series
    bool thin = false;  ///< one of several repetitions, behind their median
    double p50 = std::numeric_limits<double>::quiet_NaN(); ///< ns, as results.json has them; NaN: too few samples
    double p99 = std::numeric_limits<double>::quiet_NaN();
};

/// What a run directory holds, as far as it can be read.
struct RunRecord {
    QString path;
    Json results;
    Json run; ///< run.json: how it was made; null where that is not there
    std::vector<Curve> curves; ///< all pairs together, then each where the run kept them apart
    QString fault;             ///< why there are no results
    QString curveFault;        ///< why there are no curves, when there are results

    bool isReadable() const { return fault.isEmpty(); }
};

RunRecord readRun(const QString& folder);

/// `source → sink`: the instances, whose names tell the pipe where there are several.
QString pairName(const Json& pair);

/// `status` of the results, `damaged` where there are none.
QString statusOf(const RunRecord& record);
/// Messages of results.json, those that decide the status first.
QStringList reasonsOf(const Json& results);
/// Those that do not decide the status, and speak against the numbers all the same: a disturbed machine, an overload.
QStringList warningsOf(const Json& results);
/// Its workers span on CPUs that others of them needed, so that it says little of its deployment.
bool isSpinning(const Json& results);
/// The percentile (0 to 1) that a field of results.json is, as `p999_ns`; 0: it is none.
double percentileOf(const QString& field);
/// Why `count` latencies have no such percentile; empty where they are enough for it, or none were measured.
QString lackingFor(double percentile, double count);
/// Stands where that percentile would.
QString tooFewWords();
/// The same where a column has no room for it: a hint and a description for screen readers say of what.
QString tooFewInShort();
/// How many latencies a percentile takes, and how many there are.
QString tooFewText(double percentile, double count);
/// What the run's program was held against before it was measured; empty where it was not.
QString verificationOf(const Json& results);
/// That its window is so short that its throughput is uncertain; empty where it is not.
QString shortWindowOf(const Json& results);
double numberOf(const Json& object, const char* key); ///< NaN: not measured

} // namespace weir::editor
