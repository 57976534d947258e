#pragma once

#include "core/deployment/worker_mark.h"
#include "core/tuning/tune_answer.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QVariantMap>

#include <vector>

namespace weir::editor {

/// A measured deployment, as listed.
struct TuneRow {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString scheduler MEMBER scheduler)
    Q_PROPERTY(QString placement MEMBER placement)
    Q_PROPERTY(QString sizes MEMBER sizes)
    Q_PROPERTY(QString measured MEMBER measured)
    Q_PROPERTY(QString predicted MEMBER predicted)
    Q_PROPERTY(QString p99 MEMBER p99)
    Q_PROPERTY(QString best MEMBER best)
    Q_PROPERTY(bool front MEMBER front)
    Q_PROPERTY(QString own MEMBER own)

  public:
    QString name;
    QString scheduler; ///< with the number of workers and their wait strategy
    QString placement;
    QString sizes;
    QString measured;
    QString predicted;
    QString p99;
    QString best; ///< the goals that it is best for, or that another one is better
    bool front = false;
    QString own;  ///< name of the equal deployment in the project; empty if none

    bool operator==(const TuneRow&) const = default;
};

/// One change that a deployment would make. If it moves a block, `block` names that block.
struct TuneChange {
    Q_GADGET
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString change MEMBER change)
    Q_PROPERTY(QString block MEMBER block)

  public:
    QString heading; ///< title of this group of changes, at its first one; else empty
    QString label;
    QString change;
    QString block;

    bool operator==(const TuneChange&) const = default;
};

TuneRow tuneRow(const TunedCandidate& candidate, const QString& own);

/// Return the blocks that would move, then the other changes. `before` is the project's own deployment that the search
/// started from.
std::vector<TuneChange> tuneChanges(const TunedPlan& from, const Json& before, const TunedPlan& to, const Json& after);

/// Return marks for the blocks that would move.
QHash<QString, WorkerMark> tuneMarks(const TunedPlan& from, const TunedPlan& to);

/// Return the progress in words: `measuring flow-auto-w2: run 3 of 8, 4 candidates left`.
QString tunePhase(const QString& phase, const QString& deployment, double done, double total, int left);

} // namespace weir::editor
