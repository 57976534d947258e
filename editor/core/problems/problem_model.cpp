#include "core/problems/problem_model.h"

#include <algorithm>

namespace weir::editor {
namespace {

/// Return the value that a problem of a run is about: if it changes, the problem is solved or out of date. A problem of
/// one setting of the run can depend on another, and an expression's value depends on the parameters.
Json subjectOf(const Problem& problem, const Json& project) {
    try {
        Pointer pointer(problem.pointer.toStdString());
        if (pointer.empty()) return {};
        if (problem.pointer.startsWith(QLatin1String("/run/"))) pointer = Pointer("/run");
        const Json* value = find(project, pointer);
        Json subject = value ? *value : Json();
        if (subject.is_object())
            for (const char* name : {"id", "name", "comment"}) subject.erase(name);
        const bool computed =
            value && value->dump(-1, ' ', false, Json::error_handler_t::replace).find("\"expr\"") != std::string::npos;
        return computed ? Json::array({subject, object(member(project, "parameters"))}) : subject;
    } catch (const Json::exception&) {
        return {};
    }
}

}  // namespace

void ProblemModel::follow(const Json& project, const ChangedPaths& changed) {
    const auto isMended = [&](const Built& built) { return subjectOf(built.problem, project) != built.subject; };
    if (!PartNames::mayDiffer(changed)) {
        if (std::erase_if(m_built, isMended) > 0) update();
        return;
    }
    if (m_checked.empty() && m_built.empty()) return;
    const PartNames now(project);
    const auto lead = [&](Problem& problem, const PartNames& before) {
        const auto place = before.follow(problem.pointer.toStdString(), now);
        if (!place) return false;
        if (!problem.pointer.isEmpty()) {
            problem.pointer = QString::fromStdString(*place);
            locate(problem, project);
        }
        std::erase_if(problem.fixes, [&](ProblemFix& fix) {
            const auto there = before.follow(fix.pointer.toStdString(), now);
            fix.pointer = QString::fromStdString(there.value_or(std::string()));
            return !there;
        });
        return true;
    };
    std::erase_if(m_checked, [&](Problem& problem) { return !lead(problem, m_checkedNames); });
    std::erase_if(m_built, [&](Built& built) { return !lead(built.problem, m_builtNames) || isMended(built); });
    m_checkedNames = m_builtNames = now;
    update();
}

void ProblemModel::setProblems(std::vector<Problem> problems, const Json& project) {
    m_checkedNames = PartNames(project);
    m_checked = std::move(problems);
    update();
}

void ProblemModel::setBuildProblems(std::vector<Problem> problems, const Json& project) {
    m_builtNames = PartNames(project);
    m_built.clear();
    for (Problem& problem : problems) {
        Json subject = subjectOf(problem, project);
        m_built.push_back({std::move(problem), std::move(subject), false});
    }
    update();
}

std::vector<Problem> ProblemModel::buildProblems() const {
    std::vector<Problem> problems;
    for (const Built& built : m_built) problems.push_back(built.problem);
    return problems;
}

void ProblemModel::update() {
    std::vector<Problem> problems;
    for (Built& built : m_built) {
        // If the checker finds the same problem, too, the checker's copy decides when it is solved.
        built.reported = built.reported || std::any_of(m_checked.begin(), m_checked.end(), [&](const Problem& problem) {
                             return problem.code == built.problem.code && problem.pointer == built.problem.pointer;
                         });
        if (!built.reported) problems.push_back(built.problem);
    }
    problems.insert(problems.end(), m_checked.begin(), m_checked.end());
    problems = withoutDuplicates(std::move(problems));
    if (problems == rows()) return;
    beginResetModel();
    m_rows = std::move(problems);
    endResetModel();
    emit countChanged();
}

int ProblemModel::count(const QString& severity) const {
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(),
                                          [&](const Problem& problem) { return problem.severity == severity; }));
}

}  // namespace weir::editor
