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
    QList<RunRow> runs; ///< the oldest first
};

/// Change of a throughput against the run that it is compared with.
struct RateChange {
    QString text;   ///< `+10 %`, `▲ 38 %`, or which one it is that has none before it; empty: the run does not count
    QString beside; ///< in words, what it is beside
    int tone = 0;   ///< only beside a baseline that was chosen
};

/// The runs of a folder, the newest first, narrowed by a text that each word of has to occur.
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
        DeltaRole, ///< this and the next two: of RateChange
        ToneRole,
        BesideRole,
        NoteRole,
        SizeRole,
        RepetitionRole,
        StaleRole,
        DiffersRole,
        DiffersInShortRole,
        ProfiledRole,
    };
    Q_ENUM(Role)

    explicit RunListModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// `answer`: of `weir runs list --json`, the oldest first. Runs of other projects than `project` are left out.
    void setRuns(const Json& answer, const QString& project);
    void setFilter(const QString& filter);
    QString filter() const { return m_filter; }
    /// Sets the essence of the project as it is, empty if unknown: runs with another one are stale.
    void setEssence(const QString& essence);
    /// Return what has changed in the project since the run: `graph, parameters changed since`; empty: nothing.
    QString differs(const QString& path) const;
    QString differsInShort(const QString& path) const;
    /// Return when the run began, and which of its repetitions it is.
    QString moment(const QString& path) const;
    bool isStale(const QString& path) const { return !differs(path).isEmpty(); }
    /// Run that the others are compared with; empty: the run of the same point before, profiled as they are.
    void setBaseline(const QString& path);
    void setNote(const QString& path, const QString& note);
    void remove(const QString& path);

    int total() const { return static_cast<int>(m_all.size()); }
    const RunRow* run(const QString& path) const;
    const RunRow* runAt(int row) const;
    /// The newest of a deployment that measured something, whatever the filter shows; null: none did.
    const RunRow* newestOf(const QString& deployment) const;
    /// The valid runs of a run's point, the oldest first, at most so many of the last ones.
    QList<RunRow> validLike(const QString& path, int atMost) const;
    int rowOf(const QString& path) const;
    /// Return the change of the run in a row; with `rate`, of the median of `runs` runs whose oldest it is.
    RateChange change(int row, double rate, int runs = 1) const;
    /// All groups that have a run which can be read, the newest first.
    std::vector<RunGroup> groups() const;
    /// The runs that are repetitions of this one, itself included.
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

    std::vector<RunRow> m_all;  ///< the newest first
    std::vector<int> m_rows;  ///< of m_all, those that are shown
    std::vector<int> m_previous;  ///< of m_all, the ok run of the same point before; -1: none
    QString m_filter;
    QString m_essence;
    QString m_baseline;
};

}  // namespace weir::editor
