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

/// Content of a run directory, as far as it can be read.
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
/// Warnings that do not decide the status but speak against the numbers: a disturbed machine, an overload.
QStringList warningsOf(const Json& results);
/// Its workers span on CPUs that others of them needed, so that it says little of its deployment.
bool isSpinning(const Json& results);
/// The percentile (0 to 1) that a field of results.json is, as `p999_ns`; 0: it is none.
double percentileOf(const QString& field);
/// Return why `count` latencies have no such percentile; empty if they are enough, or none were measured.
QString lackingFor(double percentile, double count);
/// Stands where that percentile would.
QString tooFewWords();
/// Return the short form for a narrow column: a hint and a description for screen readers give the rest.
QString tooFewInShort();
/// Return the number of latencies that a percentile needs, and the number of this run.
QString tooFewText(double percentile, double count);
/// Return the result of the verification before the measurement; empty if there was none.
QString verificationOf(const Json& results);
/// Return the warning that a short window makes the throughput uncertain; empty if it does not.
QString shortWindowOf(const Json& results);
double numberOf(const Json& object, const char* key); ///< NaN: not measured

} // namespace weir::editor
