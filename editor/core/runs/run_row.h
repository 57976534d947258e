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
    QString essence;  ///< of its project: in parts, graph:… run:…; another one is of another version; empty: not known
    QString status;
    QString reason;
    QString note;
    QDateTime started;
    double throughput = 0;  ///< NaN: not measured
    double p50 = 0;
    double p99 = 0;
    double bytes = 0;
    int repetition = 0;
    QString point;  ///< runs with the same are repetitions of each other; those of the deployment where it is not told
    QString label;  ///< its deployment, and what tells its point from the others of the list: as "pinned · stages=5"
    bool profiled = false;  ///< the time of each call was measured, which costs throughput
    QStringList at;  ///< what chooses its point among those of its set, as "stages=5"
    double latencies = 0;  ///< that were measured; NaN: none were
    QStringList warnings;  ///< what speaks against its numbers though it counts

    /// Runs of one point that one command made share it; a run of no set is alone.
    QString group() const { return set.isEmpty() ? path : set + u'/' + point; }
    bool isOk() const { return status == QLatin1String("ok"); }
    /// Return when it began, as short as it is clear.
    QString when() const;
    /// Return why it has no 99th percentile; empty if it has one, or no latencies.
    QString lackingP99() const;
    bool isReadable() const { return status != QLatin1String("damaged") && status != QLatin1String("incomplete"); }
};

RunRow readRunRow(const Json& answer);

/// NaN of none.
double medianOf(std::vector<double> values);

/// Return what has changed since a run of a deployment, by the essences of its project: `graph changed since,
/// deployment flow was changed`. Deployments that did not run do not count. Empty: nothing.
QString otherParts(const QString& was, const QString& is, const QString& deployment);

/// Return a short form of the changes, for a place with little room.
QString otherPartsInShort(const QString& was, const QString& is);

}  // namespace weir::editor
