#include "features/tuning/tune_words.h"

#include "core/text/value_text.h"
#include "core/tuning/tune_moves.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Tuning)
};

/// Write `from → to`.
QString becomes(const QString& from, const QString& to) { return QStringLiteral("%1 → %2").arg(from, to); }

QString workerName(const QString& name) { return name.isEmpty() ? Words::tr("any worker") : name; }

QString spanText(const std::optional<ItemSpan>& span) {
    if (!span) return Words::tr("none");
    const QString least = groupedDigits(QString::number(span->first)),
                  most = groupedDigits(QString::number(span->second));
    return span->first == span->second ? Words::tr("%1 items").arg(least)
                                       : Words::tr("%1 to %2 items").arg(least, most);
}

QString workerCount(const TunedPlan& plan) {
    return Words::tr("%n worker(s)", nullptr, static_cast<int>(plan.workers.size()));
}

QString placementOf(const TunedCandidate& candidate) {
    if (candidate.plan && candidate.plan->isDynamic()) return Words::tr("blocks move between the workers");
    if (candidate.plan && candidate.plan->workers.size() == 1) return Words::tr("all on one worker");
    const QString strategy = string(object(member(candidate.deployment, "placement")), "strategy");
    return strategy == QLatin1String("explicit") ? Words::tr("placed by a map")
           : strategy.isEmpty()                  ? Words::tr("placed by the scheduler")
                                                 : Words::tr("placement %1").arg(strategy);
}

Json settingOf(const Json& deployment, const char* key) {
    const Json* value = member(deployment, key);
    return value ? *value : Json();
}

/// Return the differences, in the order of the fields in a deployment's bar.
std::vector<TuneChange> settingsThatChange(const TunedPlan& from, const Json& before, const TunedPlan& to,
                                           const Json& after) {
    std::vector<TuneChange> changes;
    const auto add = [&changes](const QString& label, const QString& was, const QString& is) {
        if (was != is) changes.push_back({{}, label, becomes(was, is), {}});
    };
    add(Words::tr("Scheduler"), from.scheduler, to.scheduler);
    add(Words::tr("Workers"), workerCount(from), workerCount(to));
    add(Words::tr("Waiting"), from.wait, to.wait);
    add(Words::tr("Chunk"), spanText(from.chunkItems), spanText(to.chunkItems));
    add(Words::tr("Buffers between workers"), spanText(from.ringItems), spanText(to.ringItems));
    for (const auto& [key, label] :
         {std::pair("affinity", Words::tr("CPUs")), {"parameters", Words::tr("Parameters of the scheduler")}})
        if (const Json was = settingOf(before, key), is = settingOf(after, key); was != is)
            changes.push_back(
                {{}, label, is.is_null() ? Words::tr("chosen by the planner") : QString::fromStdString(is.dump()), {}});
    return changes;
}

} // namespace

TuneRow tuneRow(const TunedCandidate& candidate, const QString& own) {
    TuneRow row;
    row.name = candidate.name;
    row.own = own;
    if (candidate.plan) {
        row.scheduler = QStringList{candidate.plan->scheduler, workerCount(*candidate.plan), candidate.plan->wait}.join(
            QStringLiteral(" · "));
        row.sizes = Words::tr("chunk %1").arg(spanText(candidate.plan->chunkItems));
    }
    row.placement = placementOf(candidate);
    row.measured = throughputText(candidate.measured);
    row.predicted = Words::tr("predicted %1").arg(throughputText(candidate.predicted));
    row.p99 = std::isnan(candidate.p99) ? Words::tr("no p99")
                                        : Words::tr("p99 %1").arg(siText(candidate.p99 * 1e-9, QStringLiteral("s")));
    QStringList best;
    for (const QString& goal : candidate.bestFor)
        best.append(goal == QLatin1String("p99") ? Words::tr("best p99") : Words::tr("best throughput"));
    row.best = !candidate.isFront ? Words::tr("another candidate is better in both") : best.join(QStringLiteral(" · "));
    row.front = candidate.isFront;
    return row;
}

std::vector<TuneChange> tuneChanges(const TunedPlan& from, const Json& before, const TunedPlan& to, const Json& after) {
    std::vector<TuneChange> changes;
    for (const TuneMove& move : tuneMoves(from, to))
        changes.push_back({{},
                           move.pattern == QLatin1String("*") ? Words::tr("all blocks") : move.pattern,
                           becomes(workerName(move.from), workerName(move.to)),
                           move.block});
    if (changes.empty()) changes.push_back({{}, Words::tr("No block would move"), {}, {}});
    changes.front().heading = Words::tr("Blocks that would move");
    std::vector<TuneChange> others = settingsThatChange(from, before, to, after);
    if (!others.empty()) others.front().heading = Words::tr("Other changes");
    changes.insert(changes.end(), others.begin(), others.end());
    return changes;
}

QHash<QString, WorkerMark> tuneMarks(const TunedPlan& from, const TunedPlan& to) {
    QHash<QString, WorkerMark> marks;
    const auto moved = blockMoves(from, to);
    for (auto it = moved.constBegin(); it != moved.constEnd(); ++it) {
        // A dedicated thread has the name of its block. Write "own" instead of that name.
        const auto brief = [&](const QString& worker) {
            return worker.isEmpty() ? Words::tr("any") : worker == it.key() ? Words::tr("own") : worker;
        };
        QStringList ways;
        WorkerMark& mark = marks[it.key()];
        for (const BlockMove& move : it->ways) {
            ways.append(Words::tr("%1, and would on %2", "runs on").arg(workerName(move.from), workerName(move.to)));
            mark.colours << move.fromNumber << move.toNumber;
        }
        mark.label = it->ways.size() == 1 ? becomes(brief(it->ways.front().from), brief(it->ways.front().to))
                                          : Words::tr("%n move(s)", nullptr, static_cast<int>(it->ways.size()));
        if (it->moved < it->instances)
            mark.label = Words::tr("%1 of %2: %3", "copies of a block, their move")
                             .arg(it->moved)
                             .arg(it->instances)
                             .arg(mark.label);
        mark.names = ways.join(QStringLiteral("; "));
    }
    return marks;
}

QString tunePhase(const QString& phase, const QString& deployment, double done, double total, int left) {
    QString text = phase == QLatin1String("profiling")   ? Words::tr("measuring the cost of the blocks")
                   : phase == QLatin1String("building")  ? Words::tr("building the next candidates")
                   : phase == QLatin1String("looking")   ? Words::tr("running each candidate once")
                   : phase == QLatin1String("measuring") ? Words::tr("measuring the remaining candidates")
                   : phase == QLatin1String("starting")  ? Words::tr("starting")
                   : phase == QLatin1String("waiting")   ? Words::tr("waiting for another run on this machine")
                                                         : phase;
    if (total > 0) text += QStringLiteral(", ") + Words::tr("run %1 of %2").arg(std::min(done + 1, total)).arg(total);
    if (!deployment.isEmpty()) text += QStringLiteral(": ") + deployment;
    if (left >= 0) text += QStringLiteral(" · ") + Words::tr("%n candidate(s) left", nullptr, left);
    return text;
}

} // namespace weir::editor
