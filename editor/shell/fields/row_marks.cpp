#include "shell/fields/row_marks.h"
#include "core/text/prose.h"
#include "core/text/value_text.h"

#include <QObject>

namespace weir::editor {
namespace {

/// A missing value is reported at its block; the field shows the problem, too.
bool isMissing(const Problem& problem, const ParameterRow& row) {
    const bool isGap = problem.code == QLatin1String("E_PARAMETER_MISSING") || problem.severity == kUnfinished;
    const bool isOfType = problem.code == QLatin1String("E_TYPE_AMBIGUOUS") && row.pointer.back() == "item_type";
    const bool isOfRow =
        row.required && isGap && problem.message.contains(prose(QStringLiteral("parameter `%1`").arg(row.name)));
    return !row.set && (isOfRow || isOfType) &&
           QString::fromStdString(row.pointer.parent_pointer().parent_pointer().to_string()) == problem.pointer;
}

bool concerns(const Problem& problem, const ParameterRow& row) {
    const auto isAt = [&problem](const Pointer& pointer) {
        const QString place = QString::fromStdString(pointer.to_string());
        return problem.pointer == place || problem.pointer.startsWith(place + u'/');
    };
    return isAt(row.pointer) || std::any_of(row.others.begin(), row.others.end(), isAt);
}

} // namespace

void markProblems(std::vector<ParameterRow>& rows, const ProblemModel& problems) {
    if (problems.problems().empty()) return;
    for (ParameterRow& row : rows) {
        for (std::size_t index = 0; index < problems.problems().size(); ++index) {
            const Problem& problem = problems.problems()[index];
            if (isMissing(problem, row)) {
                row.problem = QObject::tr("Enter a value");
                row.severity = problem.severity;
                break;
            }
            if (!concerns(problem, row) || (!row.member.isEmpty() && !row.set)) continue;
            row.problem = problem.message;
            row.severity = problem.severity;
            row.fixes = problem.fixTitles();
            row.problemIndex = static_cast<int>(index);
            break;
        }
    }
}

void markValues(std::vector<ParameterRow>& rows, const CheckedValues* values) {
    for (ParameterRow& row : rows) {
        if (!row.value.startsWith(u'=')) continue;
        const double* value = values ? values->value(row.pointer) : nullptr;
        if (value) row.evaluated = QStringLiteral("→ %1").arg(shownNumber(*value, row.unit));
        else if (!values) row.evaluated = QStringLiteral("→ …");
    }
}

} // namespace weir::editor
