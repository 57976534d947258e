#pragma once

#include "core/json/json.h"

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::editor {

/// One field of the inspector.
struct ParameterRow {
    QString name;
    QString title;
    QString type;   ///< of the descriptor, or `words` of a list, `number_or_word`, `cpus`, `share` of all or `none`
    QString widget; ///< text, note, choice, switch or file
    QString unit;
    QString value; ///< to be edited: all of it
    QString shown; ///< to be read: `200 M`
    QString placeholder;
    QStringList options;
    QStringList refused; ///< of each option, why it cannot be chosen; empty where all can
    QString documentation;
    QString range;     ///< `1 to 64`, empty where anything goes
    QString evaluated; ///< `→ 12`: what the expression gives, empty for a literal
    QString problem;
    QString severity;
    int problemIndex = -1; ///< of the problem
    QStringList fixes;     ///< what it offers
    std::optional<double> minimum;
    std::optional<double> maximum;
    QString member; ///< the switch says whether the list at `pointer` holds this text
    bool set = false;   ///< the file says it, it is not the default
    bool mixed = false; ///< the chosen blocks differ here
    bool required = false;
    bool literal = false; ///< a number alone: no expression
    Json::json_pointer pointer;
    std::vector<Json::json_pointer> others; ///< of the other chosen blocks
    QString draft;   ///< what was typed and refused
    QString refusal; ///< why

    bool operator==(const ParameterRow&) const = default;
};

class ParameterModel : public QAbstractListModel {
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
        RangeRole,
        EvaluatedRole,
        ProblemRole,
        SeverityRole,
        FixesRole,
        RefusedRole,
        ShownRole,
        SetRole,
        MixedRole,
        PlaceRole, ///< in the project, of the one value that the field has; empty: it has several
    };

    explicit ParameterModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Rows of the same fields, at the beginning and at the end, stay: one that is being edited is not made anew.
    void setRows(std::vector<ParameterRow> rows);
    const std::vector<ParameterRow>& rows() const { return m_rows; }
    const ParameterRow* row(const QString& name) const;
    int indexOf(const QString& name) const;
    /// The field keeps what was typed and says why it is not taken; empty texts end that.
    void setRefusal(int row, const QString& draft, const QString& why);

  private:
    std::vector<ParameterRow> m_rows;
};

} // namespace weir::editor
