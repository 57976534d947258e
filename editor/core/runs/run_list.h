#pragma once

#include "json.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QString>

#include <vector>

namespace weir::editor {

/// A row of `weir runs list --json`.
struct RunRow
{
    QString path;
    QString id;
    QString project;
    QString deployment;
    QString scheduler;
    QString set;
    QString essence; ///< of its project: in parts, graph:… run:…; another one is of another version; empty: not known
    QString status;
    QString reason;
    QString note;
    QDateTime started;
    double throughput = 0; ///< NaN: not measured
    double p50 = 0;
    double p99 = 0;
    double bytes = 0;
    int repetition = 0;
    QString point; ///< runs with the same are repetitions of each other; those of the deployment where it is not told
    QString label; ///< its deployment, and what tells its point from the others of the list: as "pinned · stages=5"
    bool profiled = false; ///< the time of each call was measured, which costs throughput
    QStringList at; ///< what chooses its point among those of its set, as "stages=5"
    double latencies = 0; ///< that were measured; NaN: none were
    QStringList warnings; ///< what speaks against its numbers though it counts

    /// Runs of one point that one command made share it; a run of no set is alone.
    QString group() const { return set.isEmpty() ? path : set + u'/' + point; }
    bool isOk() const { return status == QLatin1String("ok"); }
    /// When it began, as short as it is clear.
    QString when() const;
    /// Why it has no 99th percentile; empty where it has one, or no latencies.
    QString lackingP99() const;
    bool isReadable() const { return status != QLatin1String("damaged") && status != QLatin1String("incomplete"); }
};

/// Runs of one point that one command made.
struct RunGroup
{
    QString set;
    QString label;
    QList<RunRow> runs; ///< the oldest first
};

/// The runs of a folder, the newest first, narrowed by a text that each word of has to occur.
class RunListModel : public QAbstractListModel
{
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

public:
    enum Role {
        PathRole = Qt::UserRole + 1,
        RunIdRole,
        TimeRole,
        DeploymentRole,
        SchedulerRole,
        StatusRole,
        ReasonRole,
        WarningsRole,
        ThroughputRole,
        P50Role,
        P99Role,
        LackingP99Role,
        DeltaRole,
        ToneRole,   ///< only beside a baseline that was chosen
        BesideRole, ///< in words, what the delta is beside
        NoteRole,
        SizeRole,
        RepetitionRole,
        StaleRole,
        DiffersRole,
        DiffersInShortRole,
        ProfiledRole,
    };

    explicit RunListModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// `answer`: of `weir runs list --json`, the oldest first. Runs of other projects than `project` are left out.
    void setRuns(const Json &answer, const QString &project);
    void setFilter(const QString &filter);
    QString filter() const { return m_filter; }
    /// That of the project as it is, empty where it is not known: runs with another one are stale.
    void setEssence(const QString &essence);
    /// What is another in the version of the project that a run is of: `other graph, parameters`; empty: nothing is.
    QString differs(const QString &path) const;
    bool isStale(const QString &path) const { return !differs(path).isEmpty(); }
    /// What the others are compared with; empty: the run of the same point before, profiled as they are.
    void setBaseline(const QString &path);
    void setNote(const QString &path, const QString &note);
    void remove(const QString &path);

    int total() const { return static_cast<int>(m_all.size()); }
    const RunRow *run(const QString &path) const;
    const RunRow *runAt(int row) const;
    /// The newest of a deployment that measured something, whatever the filter shows; null: none did.
    const RunRow *newestOf(const QString &deployment) const;
    /// The valid runs of a run's point, the oldest first, at most so many of the last ones.
    QList<RunRow> validLike(const QString &path, int atMost) const;
    int rowOf(const QString &path) const;
    /// All groups that have a run which can be read, the newest first.
    std::vector<RunGroup> groups() const;
    /// The runs that are repetitions of this one, itself included.
    QList<RunRow> repetitions(const QString &path) const;

signals:
    void countChanged();

private:
    void applyFilter();
    bool matches(const RunRow &run) const;
    const RunRow *chosenBaseline() const;
    const RunRow *baselineOf(int row) const;
    void notify(const QList<int> &roles);

    std::vector<RunRow> m_all; ///< the newest first
    std::vector<int> m_rows;   ///< of m_all, those that are shown
    std::vector<int> m_previous; ///< of m_all, the ok run of the same point before; -1: none
    QString m_filter;
    QString m_essence;
    QString m_baseline;
};

} // namespace weir::editor
