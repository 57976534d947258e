#pragma once

#include "core/json/json.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// A row of `weir runs list --json`.
struct RunRow {
    QString path;
    QString id;
    QString project;
    QString deployment;
    QString scheduler;
    QString set;
    QString essence;  ///< of its project: `graph:… run:…`; versions of Weir differ in it; empty: unknown
    QString status;
    QString reason;
    QString note;
    QDateTime started;
    double throughput = 0;  ///< NaN: not measured
    double p50 = 0;
    double p99 = 0;
    double bytes = 0;
    int repetition = 0;
    QString point;  ///< runs with the same point are repetitions; without a point, all runs of the deployment are
    QString label;  ///< its deployment, and the values that distinguish its point in the list: "pinned · stages=5"
    bool profiled = false;  ///< each call was timed, which costs throughput
    QStringList at;  ///< values that choose its point in its set, such as "stages=5"
    double latencies = 0;  ///< number of measured latencies; NaN: none
    QStringList warnings;  ///< doubts about the numbers of a run that still counts
    bool unverified = false;  ///< Weir did not verify the output of its program

    /// Key shared by the runs of one point that one command made; a run without a set is its own group.
    QString group() const { return set.isEmpty() ? path : set + u'/' + point; }
    bool isOk() const { return status == QLatin1String("ok"); }
    /// Return when it began, as short as possible without ambiguity.
    QString when() const;
    /// Return why it has no 99th percentile; empty if it has one, or no latencies.
    QString lackingP99() const;
    bool isReadable() const { return status != QLatin1String("damaged") && status != QLatin1String("incomplete"); }
};

RunRow readRunRow(const Json& answer);

/// Return the median; NaN for no values.
double medianOf(std::vector<double> values);

/// Return the changes since a run of a deployment, from the project's essences: `graph changed since, deployment flow
/// was changed`. Other deployments do not count. Empty: no change.
QString otherParts(const QString& was, const QString& is, const QString& deployment);

/// Return a short form of the changes, for narrow places.
QString otherPartsInShort(const QString& was, const QString& is);

}  // namespace weir::editor
