#pragma once

#include "json.h"

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// One field of the inspector.
struct ParameterRow
{
    QString name;
    QString title;
    QString type;   ///< of the descriptor
    QString widget; ///< text, choice or switch
    QString unit;
    QString value;
    QString placeholder;
    QStringList options;
    QString documentation;
    QString problem;
    bool set = false; ///< the file says it, it is not the default
    Json::json_pointer pointer;

    bool operator==(const ParameterRow &) const = default;
};

class ParameterModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        NameRole = Qt::UserRole + 1,
        TitleRole,
        TypeRole,
        WidgetRole,
        UnitRole,
        ValueRole,
        PlaceholderRole,
        OptionsRole,
        DocumentationRole,
        ProblemRole,
        SetRole,
    };

    explicit ParameterModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Rows with the same names in the same order stay, so that a field that is being edited is not made anew.
    void setRows(std::vector<ParameterRow> rows);
    const std::vector<ParameterRow> &rows() const { return m_rows; }
    const ParameterRow *row(const QString &name) const;

private:
    std::vector<ParameterRow> m_rows;
};

} // namespace weir::editor
