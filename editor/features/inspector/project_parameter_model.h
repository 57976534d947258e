#pragma once

#include "core/problems/checked_values.h"
#include "core/problems/problem_model.h"
#include "shell/fields/parameter_model.h"

#include <QAbstractListModel>

#include <vector>

namespace weir::editor {

/// A project parameter: four fields, and the position of its slider.
struct ProjectParameterRow {
    QString name;
    ParameterRow value;
    ParameterRow minimum;
    ParameterRow maximum;
    ParameterRow description;
    bool slider = false;  ///< true if value and range are numbers
    bool whole = false;   ///< true if the slider keeps to whole numbers
    double from = 0;
    double to = 1;
    double position = 0;
    int uses = 0; ///< number of expressions that use it

    bool operator==(const ProjectParameterRow&) const = default;
};

std::vector<ProjectParameterRow> projectParameterRows(const Json& project, const ProblemModel& problems,
                                                      const CheckedValues* values);

/// Return the value at `position` of the slider: a whole number, or one with as many digits as a thousandth of the
/// range needs.
Json sliderValue(const ProjectParameterRow& row, double position);

class ProjectParameterModel : public QAbstractListModel {
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

  public:
    enum Role {
        NameRole = Qt::UserRole + 1,
        ValueRole,
        MinimumRole,
        MaximumRole,
        DescriptionRole,
        EvaluatedRole,
        ProblemRole,
        SeverityRole,
        FixesRole,
        RangeProblemRole,
        SliderRole,
        FromRole,
        ToRole,
        PositionRole,
        UsesRole,
        ShownRole,
    };

    explicit ProjectParameterModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setRows(std::vector<ProjectParameterRow> rows);
    const std::vector<ProjectParameterRow>& rows() const { return m_rows; }
    int indexOf(const QString& name) const;
    void setRefusal(int row, const QString& draft, const QString& why);

  signals:
    void countChanged();

  private:
    std::vector<ProjectParameterRow> m_rows;
};

} // namespace weir::editor
