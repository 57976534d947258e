#pragma once

#include "core/runs/run_list.h"

#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>

namespace weir::editor {

/// The runs of a list as rows of a page: the repetitions that one command made of one point are one row, that of the newest,
/// until it is opened. A filter opens all.
class RunGroups : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    enum Role {
        MembersRole = RunListModel::DiffersRole + 100,  ///< how many runs a row stands for, or is one of
        HeadRole,  ///< the first of several
        OpenRole,
        GroupRole,
    };

    explicit RunGroups(RunListModel& runs, QObject* parent = nullptr);

    /// Medians of the valid runs of a closed group.
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    /// Shows the runs of a group, or its first one alone again.
    void toggle(const QString& group);
    /// Return the row of a run, or of its closed group; -1: the filter hides it.
    int rowOf(int run) const;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    struct Group {
        int first = -1;  ///< row of the list
        QList<int> rows;
    };

    void gather();
    const Group* groupOf(int row) const;
    bool isClosed(int row) const;
    /// Warnings about its runs, each sentence once.
    QStringList warningsOf(const Group& group) const;
    /// Change of the median against the runs before all of them.
    RateChange changeOf(const Group& group) const;
    double medianOf(const Group& group, double RunRow::* value) const;

    RunListModel& m_runs;
    QHash<QString, Group> m_groups;  ///< of several runs
    QSet<QString> m_open;
};

}  // namespace weir::editor
