#pragma once

#include "core/runs/run_row.h"

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace weir::editor {

/// Runs of one point that one command made.
struct RunGroup {
    QString set;
    QString label;
    QList<RunRow> runs; ///< oldest first
};

/// Change of the throughput from the run that it is compared with.
struct RateChange {
    QString text;   ///< `+10 %`, `▲ 38 %`, or text for a first run; empty: the run does not count
    QString beside; ///< the compared run, in words
    int tone = 0;   ///< nonzero only with a chosen baseline
};

/// Runs of a folder, the newest first, filtered: each word of the filter must occur.
class RunListModel : public QAbstractListModel {
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
        DeltaRole, ///< this and the next two: parts of RateChange
        ToneRole,
        BesideRole,
        NoteRole,
        SizeRole,
        RepetitionRole,
        StaleRole,
        DiffersRole,
        DiffersInShortRole,
        ProfiledRole,
        UnverifiedRole,
    };
    Q_ENUM(Role)

    explicit RunListModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// `answer`: from `weir runs list --json`, the oldest first. Runs of other projects than `project` are left out.
    void setRuns(const Json& answer, const QString& project);
    void setFilter(const QString& filter);
    QString filter() const { return m_filter; }
    /// Sets the essence of the present project; empty if unknown. Runs with another essence are stale.
    void setEssence(const QString& essence);
    /// Return the changes of the project since the run: `graph, parameters changed since`; empty: none.
    QString differs(const QString& path) const;
    QString differsInShort(const QString& path) const;
    /// Return when the run began, and its number among its repetitions.
    QString moment(const QString& path) const;
    bool isStale(const QString& path) const { return !differs(path).isEmpty(); }
    /// Baseline of the changes; empty: the previous run of the same point, also profiled or also not.
    void setBaseline(const QString& path);
    void setNote(const QString& path, const QString& note);
    void remove(const QString& path);

    int total() const { return static_cast<int>(m_all.size()); }
    const RunRow* run(const QString& path) const;
    const RunRow* runAt(int row) const;
    /// Return the newest run of a deployment with results, ignoring the filter; null: there is none.
    const RunRow* newestOf(const QString& deployment) const;
    /// Return the valid runs of a run's point, the oldest first, at most the last `atMost`.
    QList<RunRow> validLike(const QString& path, int atMost) const;
    int rowOf(const QString& path) const;
    /// Return the change of the run in a row. With `rate`: the change of the median of `runs` runs, of which this is
    /// the oldest.
    RateChange change(int row, double rate, int runs = 1) const;
    /// Return the groups with at least one readable run, the newest first.
    std::vector<RunGroup> groups() const;
    /// Return the repetitions of this run, itself included.
    QList<RunRow> repetitions(const QString& path) const;

  signals:
    void countChanged();

  private:
    void applyFilter();
    bool matches(const RunRow& run) const;
    const RunRow* chosenBaseline() const;
    const RunRow* baselineOf(int row) const;
    bool isOfMany(const RunRow& run, const RunRow& baseline) const;
    double rateBeside(const RunRow& run, const RunRow& baseline) const;
    void notify(const QList<int>& roles);

    std::vector<RunRow> m_all;  ///< newest first
    std::vector<int> m_rows;  ///< indices of the visible rows in m_all
    std::vector<int> m_previous;  ///< index in m_all of the previous ok run of the same point; -1: none
    QString m_filter;
    QString m_essence;
    QString m_baseline;
};

}  // namespace weir::editor
