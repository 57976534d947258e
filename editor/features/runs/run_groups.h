#pragma once

#include "core/runs/run_list.h"

#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>

namespace weir::editor {

/// Runs of a list as rows of a page. The repetitions of one point by one command are a single row, with the newest,
/// until it is opened. A filter opens all groups.
class RunGroups : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    enum Role {
        MembersRole = RunListModel::DiffersRole + 100,  ///< number of runs in the row's group
        HeadRole,  ///< true for the first of several
        OpenRole,
        GroupRole,
    };

    explicit RunGroups(RunListModel& runs, QObject* parent = nullptr);

    /// Return the data of a row; for a closed group, the medians of its valid runs.
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    /// Open the runs of a group, or close it.
    void toggle(const QString& group);
    /// Return the row of a run, or of its closed group; -1: the filter hides it.
    int rowOf(int run) const;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    struct Group {
        int first = -1;  ///< row in the list
        QList<int> rows;
    };

    void gather();
    const Group* groupOf(int row) const;
    bool isClosed(int row) const;
    /// Return the warnings about its runs, each sentence once.
    QStringList warningsOf(const Group& group) const;
    /// Return the change of the median against all earlier runs.
    RateChange changeOf(const Group& group) const;
    double medianOf(const Group& group, double RunRow::* value) const;

    RunListModel& m_runs;
    QHash<QString, Group> m_groups;  ///< groups of several runs
    QSet<QString> m_open;
};

}  // namespace weir::editor
