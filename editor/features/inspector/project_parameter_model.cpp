#include "features/inspector/project_parameter_model.h"

#include "core/edits/rename_parameter.h"
#include "core/text/value_text.h"
#include "features/inspector/inspector_rows.h"
#include "shell/fields/row_builder.h"
#include "shell/fields/row_marks.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

std::optional<double> numberOf(const Json* value, const CheckedValues* values, const Pointer& place) {
    if (value && value->is_number()) return value->get<double>();
    const double* evaluated = value && values ? values->value(place) : nullptr;
    return evaluated ? std::optional(*evaluated) : std::nullopt;
}

bool isWhole(double number) { return number == std::floor(number); }

void setSlider(ProjectParameterRow& row, const Json& entry, const CheckedValues* values) {
    // A slider would replace an expression by a number.
    if (row.value.value.startsWith(u'=')) return;
    const auto value = literalNumber(row.value.value);
    const auto from = numberOf(member(entry, "minimum"), values, row.minimum.pointer);
    const auto to = numberOf(member(entry, "maximum"), values, row.maximum.pointer);
    if (!value || !from || !to || *from >= *to) return;
    row.slider = true;
    row.whole = isWhole(*value) && isWhole(*from) && isWhole(*to);
    row.from = *from;
    row.to = *to;
    row.position = std::clamp(*value, *from, *to);
}

} // namespace

std::vector<ProjectParameterRow> projectParameterRows(const Json& project, const ProblemModel& problems,
                                                      const CheckedValues* values) {
    std::vector<ProjectParameterRow> rows;
    const Pointer parameters("/parameters");
    for (const auto& item : object(find(project, parameters)).items()) {
        if (item.key().rfind("x_", 0) == 0) continue;
        const Pointer place = parameters / item.key();
        ProjectParameterRow row;
        row.name = qt(item.key());
        std::vector<ParameterRow> fields{
            fieldRow(project, place / "value", "", QObject::tr("Value")),
            fieldRow(project, place / "minimum", "", QObject::tr("Minimum"), QObject::tr("none")),
            fieldRow(project, place / "maximum", "", QObject::tr("Maximum"), QObject::tr("none")),
            fieldRow(project, place / "description", "string", QObject::tr("Description"))};
        for (ParameterRow& field : fields) field.name = row.name;
        markProblems(fields, problems);
        markValues(fields, values);
        row.value = std::move(fields[0]);
        row.minimum = std::move(fields[1]);
        row.maximum = std::move(fields[2]);
        row.description = std::move(fields[3]);
        row.uses = static_cast<int>(usesOfParameter(project, item.key()).size());
        setSlider(row, item.value(), values);
        rows.push_back(std::move(row));
    }
    return rows;
}

Json sliderValue(const ProjectParameterRow& row, double position) {
    const double wanted = std::clamp(position, row.from, row.to);
    if (row.whole) return static_cast<std::int64_t>(std::llround(wanted));
    const double digit = std::pow(10.0, std::floor(std::log10((row.to - row.from) / 1000)));
    // Decimal text keeps the noise of binary fractions out of the file.
    const int decimals = std::max(0, static_cast<int>(-std::round(std::log10(digit))));
    const double rounded = QString::number(std::round(wanted / digit) * digit, 'f', decimals).toDouble();
    return std::clamp(rounded, row.from, row.to);
}

ProjectParameterModel::ProjectParameterModel(QObject* parent) : QAbstractListModel(parent) {}

int ProjectParameterModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ProjectParameterModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const ProjectParameterRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool refused = !row.value.refusal.isEmpty();
    switch (role) {
        case Qt::DisplayRole:
        case NameRole: return row.name;
        case ValueRole: return refused ? row.value.draft : row.value.value;
        case MinimumRole: return row.minimum.value;
        case MaximumRole: return row.maximum.value;
        case DescriptionRole: return row.description.value;
        case EvaluatedRole: return row.value.evaluated;
        case ProblemRole: return refused ? row.value.refusal : row.value.problem;
        case SeverityRole: return refused ? QStringLiteral("error") : row.value.severity;
        case FixesRole: return refused ? QStringList() : row.value.fixes;
        case ShownRole: return refused ? row.value.draft : row.value.shown;
        case RangeProblemRole: return row.minimum.problem.isEmpty() ? row.maximum.problem : row.minimum.problem;
        case SliderRole: return row.slider;
        case FromRole: return row.from;
        case ToRole: return row.to;
        case PositionRole: return row.position;
        case UsesRole: return row.uses;
        default: return {};
    }
}

QHash<int, QByteArray> ProjectParameterModel::roleNames() const {
    return {{NameRole, "name"},
            {ValueRole, "value"},
            {MinimumRole, "minimum"},
            {MaximumRole, "maximum"},
            {DescriptionRole, "description"},
            {EvaluatedRole, "evaluated"},
            {ProblemRole, "problem"},
            {SeverityRole, "severity"},
            {FixesRole, "fixes"},
            {RangeProblemRole, "rangeProblem"},
            {SliderRole, "slider"},
            {FromRole, "from"},
            {ToRole, "to"},
            {PositionRole, "position"},
            {UsesRole, "uses"},
            {ShownRole, "shown"}};
}

void ProjectParameterModel::setRows(std::vector<ProjectParameterRow> rows) {
    const auto same = [](const ProjectParameterRow& a, const ProjectParameterRow& b) { return a.name == b.name; };
    if (!std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), same)) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        emit countChanged();
        return;
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (rows[row].value.value == m_rows[row].value.value) {
            rows[row].value.draft = m_rows[row].value.draft;
            rows[row].value.refusal = m_rows[row].value.refusal;
        }
        if (rows[row] == m_rows[row]) continue;
        m_rows[row] = std::move(rows[row]);
        emit dataChanged(index(static_cast<int>(row)), index(static_cast<int>(row)));
    }
}

int ProjectParameterModel::indexOf(const QString& name) const {
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [&name](const auto& row) { return row.name == name; });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

void ProjectParameterModel::setRefusal(int row, const QString& draft, const QString& why) {
    ParameterRow& field = m_rows.at(static_cast<std::size_t>(row)).value;
    if (field.draft == draft && field.refusal == why) return;
    field.draft = draft;
    field.refusal = why;
    emit dataChanged(index(row), index(row));
}

} // namespace weir::editor
