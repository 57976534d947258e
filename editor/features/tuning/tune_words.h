#pragma once

#include "core/deployment/worker_mark.h"
#include "core/tuning/tune_answer.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QVariantMap>

#include <vector>

namespace weir::editor {

/// A deployment that was measured, as it is listed.
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
    QString scheduler; ///< with its workers, and how they wait
    QString placement;
    QString sizes;
    QString measured;
    QString predicted;
    QString p99;
    QString best; ///< for which goals, or that another one is better
    bool front = false;
    QString own;  ///< the deployment of the project that is the same; empty: there is none

    bool operator==(const TuneRow&) const = default;
};

/// Something that a deployment would change. Of moves, `block` is where they lead.
struct TuneChange {
    Q_GADGET
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(QString label MEMBER label)
    Q_PROPERTY(QString change MEMBER change)
    Q_PROPERTY(QString block MEMBER block)

  public:
    QString heading; ///< over it and those that follow; empty where there is none
    QString label;
    QString change;
    QString block;

    bool operator==(const TuneChange&) const = default;
};

/// A search for deployments in words.

TuneRow tuneRow(const TunedCandidate& candidate, const QString& own);

/// Return the blocks that would move, and the other changes; `before`: the deployment that the search started from, as
/// the project has it.
std::vector<TuneChange> tuneChanges(const TunedPlan& from, const Json& before, const TunedPlan& to, const Json& after);

/// Marks of the blocks that would move.
QHash<QString, WorkerMark> tuneMarks(const TunedPlan& from, const TunedPlan& to);

/// Return the progress in words: `measuring flow-auto-w2: run 3 of 8, 4 candidates left`.
QString tunePhase(const QString& phase, const QString& deployment, double done, double total, int left);

} // namespace weir::editor
