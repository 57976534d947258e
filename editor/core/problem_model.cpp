#include "problem_model.h"

#include "project_edits.h"

#include <algorithm>

namespace weir::editor {
namespace {

QString blockOf(const std::string &pointerText, const Json &project)
{
    std::vector<std::string> path;
    try {
        for (Pointer pointer(pointerText); !pointer.empty(); pointer.pop_back())
            path.insert(path.begin(), pointer.back());
    } catch (const Json::exception &) {
        return {};
    }
    if (path.size() < 3 || path[0] != "graph")
        return {};
    const Json *part = nullptr;
    try {
        part = find(project, Pointer("/graph") / path[1] / path[2]);
    } catch (const Json::exception &) {
        return {};
    }
    if (!part)
        return {};
    if (path[1] == "blocks")
        return QString::fromStdString(text(member(*part, "id")));
    if (path[1] != "connections")
        return {};
    const auto connection = toConnection(*part);
    if (!connection)
        return {};
    const bool atTarget = path.size() > 3 && (path[3] == "2" || path[3] == "3");
    return QString::fromStdString(atTarget ? connection->target : connection->source);
}

std::size_t blockCount(const Json &project)
{
    return list(find(project, Pointer("/graph/blocks"))).size();
}

} // namespace

std::vector<Problem> problemsFrom(const Json &answer, const Json &project)
{
    std::vector<Problem> problems;
    for (const Json &entry : list(member(answer, "diagnostics"))) {
        const auto field = [&entry](const char *key) { return QString::fromStdString(text(member(entry, key))); };
        problems.push_back({field("code"), field("severity"), field("pointer"), field("message"), field("hint"),
                            blockOf(text(member(entry, "pointer")), project)});
    }
    return problems;
}

ProblemModel::ProblemModel(QObject *parent) : QAbstractListModel(parent) {}

int ProblemModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

QVariant ProblemModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Problem &problem = m_problems[static_cast<std::size_t>(index.row())];
    switch (role) {
    case CodeRole:
        return problem.code;
    case SeverityRole:
        return problem.severity;
    case Qt::DisplayRole:
    case MessageRole:
        return problem.message;
    case HintRole:
        return problem.hint;
    case PointerRole:
        return problem.pointer;
    case BlockRole:
        return problem.block;
    default:
        return {};
    }
}

QHash<int, QByteArray> ProblemModel::roleNames() const
{
    return {{CodeRole, "code"}, {SeverityRole, "severity"}, {MessageRole, "message"},
            {HintRole, "hint"}, {PointerRole, "pointer"},   {BlockRole, "block"}};
}

void ProblemModel::followRename(const Json &project)
{
    if (blockCount(project) != m_blockCount)
        return;
    std::vector<Problem> problems = m_problems;
    for (Problem &problem : problems)
        problem.block = blockOf(problem.pointer.toStdString(), project);
    setProblems(std::move(problems), project);
}

void ProblemModel::setProblems(std::vector<Problem> problems, const Json &project)
{
    m_blockCount = blockCount(project);
    if (problems == m_problems)
        return;
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
    emit countChanged();
}

QString ProblemModel::messageAt(const QString &pointer) const
{
    const auto it = std::find_if(m_problems.begin(), m_problems.end(), [&pointer](const Problem &problem) {
        return problem.pointer == pointer || problem.pointer.startsWith(pointer + u'/');
    });
    return it == m_problems.end() ? QString() : it->message;
}

} // namespace weir::editor
