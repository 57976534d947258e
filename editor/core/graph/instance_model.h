#pragma once

#include "core/json/json.h"

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// One of a block: `stage[2]@p3` is its copy 2 in pipe 3.
struct Instance {
    QString name;
    QString block;
    QString worker; ///< empty where the scheduler binds none
    int copy = 0;
    int pipe = 0;

    bool operator==(const Instance&) const = default;
};

/// The instances of the named blocks in an answer of `weir plan --json`, in the order of the stream.
std::vector<Instance> instancesOf(const Json& plan, const QStringList& blocks);

/// Instances as a table: a row for each block and pipe, a column for each copy. Of very many only the first are rows.
class InstanceModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { NameRole = Qt::UserRole + 1, WorkerRole, RowRole, ColumnRole, FirstInRowRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setInstances(std::vector<Instance> instances);
    int rows() const { return m_rows; }
    int columns() const { return m_columns; }
    /// How many are not shown.
    int hidden() const { return m_hidden; }

  private:
    struct Cell {
        Instance instance;
        int row = 0;
        int column = 0;
    };

    std::vector<Cell> m_cells;
    int m_rows = 0;
    int m_columns = 0;
    int m_hidden = 0;
};

} // namespace weir::editor
