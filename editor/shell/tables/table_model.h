#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <QVariantList>

#include <limits>
#include <vector>

namespace weir::editor {

struct TableColumn {
    QString title;
    QString unit;     ///< of all numbers in the column
    bool number = true;
    int width = 80;   ///< pixels; the first column takes the remaining width
    QString hint;     ///< meaning of the numbers
    bool bar = false; ///< a share, drawn as a bar
};

struct TableCell {
    QString text;
    double value = std::numeric_limits<double>::quiet_NaN(); ///< sort key; NaN: sort by the text
    QString hint = {}; ///< why there is no number, or its meaning
};

struct TableRow {
    QList<TableCell> cells;
    QString block;     ///< block of the flowgraph; empty: none
    double share = -1; ///< 0 to 1, for the bar
    int heat = -1; ///< step of the bar's colour, 0 to 4; negative: neutral
    QString tone;      ///< "", "warning" or "error"
};

/// Rows of numbers that a click on a header sorts. Missing values come last in either direction.
class TableModel : public QAbstractListModel {
    Q_OBJECT
    Q_PROPERTY(QVariantList columns READ columns NOTIFY tableChanged)
    Q_PROPERTY(int sortColumn READ sortColumn NOTIFY sorted)
    Q_PROPERTY(bool descending READ isDescending NOTIFY sorted)
    Q_PROPERTY(int count READ rowCount NOTIFY tableChanged)
    Q_PROPERTY(QString remark READ remark NOTIFY tableChanged)

  public:
    enum Role { CellsRole = Qt::UserRole + 1, HintsRole, BlockRole, ShareRole, HeatRole, ToneRole };

    explicit TableModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    QVariantList columns() const;
    int sortColumn() const { return m_sortColumn; }
    bool isDescending() const { return m_descending; }
    QString remark() const { return m_remark; }

    /// `remark`: shown if there are no rows, or if their number is limited. Keeps the chosen order.
    void setTable(const QList<TableColumn>& columns, std::vector<TableRow> rows, const QString& remark = {});
    /// Sorts by the column; the second call in a row reverses the order.
    Q_INVOKABLE void sortBy(int column);
    /// Return the table as tab-separated text, for a spreadsheet.
    Q_INVOKABLE QString asText() const;

  signals:
    void tableChanged();
    void sorted();

  private:
    void sortRows();

    QList<TableColumn> m_columns;
    std::vector<TableRow> m_rows;
    QString m_remark;
    int m_sortColumn = -1;
    bool m_descending = false;
};

} // namespace weir::editor
