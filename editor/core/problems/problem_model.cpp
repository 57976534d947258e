#include "problem_model.h"

#include "project_edits.h"
#include "project_places.h"

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
        return string(*part, "id");
    if (path[1] != "connections")
        return {};
    const auto connection = toConnection(*part);
    if (!connection)
        return {};
    const bool atTarget = path.size() > 3 && (path[3] == "2" || path[3] == "3");
    return QString::fromStdString(atTarget ? connection->target : connection->source);
}

/// Where a pointer leads, in words of the window.
QString placeOf(const std::string &pointerText, const Json &project, const QString &block)
{
    if (!block.isEmpty())
        return block;
    try {
        std::vector<std::string> path;
        for (Pointer pointer(pointerText); !pointer.empty(); pointer.pop_back())
            path.insert(path.begin(), pointer.back());
        if (path.empty())
            return QObject::tr("project");
        const QString key = QString::fromStdString(path.back());
        if (path[0] == "deployments" && path.size() > 1) {
            const Json *name = find(project, kDeployments / path[1] / "name");
            return name ? QString::fromStdString(text(name)) : QObject::tr("deployment %1").arg(QString::fromStdString(path[1]));
        }
        if (path[0] == "parameters" && path.size() > 1)
            return QString::fromStdString(path[1]);
        return path[0] == "run" ? QObject::tr("run · %1").arg(key) : key;
    } catch (const Json::exception &) {
        return {};
    }
}

int number(const Json &object, const char *key)
{
    const Json *value = member(object, key);
    return value && value->is_number_integer() ? value->get<int>() : 0;
}

} // namespace

std::vector<Problem> problemsFrom(const Json &answer, const Json &project)
{
    std::vector<Problem> problems;
    for (const Json &entry : list(member(answer, "diagnostics"))) {
        const auto field = [](const Json &object, const char *key) { return string(object, key); };
        Problem problem{field(entry, "code"), field(entry, "severity"), field(entry, "pointer"), field(entry, "message"),
                        field(entry, "hint"), blockOf(text(member(entry, "pointer")), project)};
        problem.place = placeOf(text(member(entry, "pointer")), project, problem.block);
        if (const Json *fix = member(entry, "fix"))
            problem.fix = *fix;
        if (const Json *place = member(entry, "place")) {
            problem.file = field(*place, "file");
            problem.source = field(*place, "source");
            problem.line = number(*place, "line");
            problem.column = number(*place, "column");
            for (const Json &block : list(member(*place, "blocks")))
                problem.others.append(QString::fromStdString(text(&block)));
            problem.others.removeAll(problem.block);
            const QString end = QStringLiteral(":%1: ").arg(problem.line);
            const auto begin = problem.message.indexOf(end);
            problem.said = begin < 0 ? problem.message : problem.message.mid(begin + end.size());
        }
        problems.push_back(std::move(problem));
    }
    return problems;
}

QString Problem::fixText() const
{
    const Json *word = member(fix, "key");
    const Json *value = word ? word : member(fix, "value");
    const Json *expression = value ? member(*value, "expr") : nullptr;
    return QString::fromStdString(text(expression ? expression : value));
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
    case PlaceRole:
        return problem.place;
    case FixRole:
        return problem.fixText();
    case FileRole:
        return problem.file;
    case LineRole:
        return problem.line;
    case SourceRole:
        return problem.source;
    default:
        return {};
    }
}

QHash<int, QByteArray> ProblemModel::roleNames() const
{
    return {{CodeRole, "code"}, {SeverityRole, "severity"}, {MessageRole, "message"},
            {HintRole, "hint"}, {PointerRole, "pointer"},   {BlockRole, "block"},
            {PlaceRole, "place"}, {FixRole, "fix"},
            {FileRole, "file"}, {LineRole, "line"},         {SourceRole, "source"}};
}

void ProblemModel::follow(const Json &project, const ChangedPaths &changed)
{
    if ((m_checked.empty() && m_built.empty()) || !PartNames::mayDiffer(changed))
        return;
    const PartNames now(project);
    const auto lead = [&](std::vector<Problem> &problems, PartNames &before) {
        std::erase_if(problems, [&](Problem &problem) {
            const std::string pointer = problem.pointer.toStdString();
            const auto place = before.follow(pointer, now);
            if (!place || pointer.empty())
                return !place;
            problem.pointer = QString::fromStdString(*place);
            problem.block = blockOf(*place, project);
            problem.place = placeOf(*place, project, problem.block);
            return false;
        });
        before = now;
    };
    lead(m_checked, m_checkedNames);
    lead(m_built, m_builtNames);
    update();
}

void ProblemModel::setProblems(std::vector<Problem> problems, const Json &project)
{
    m_checkedNames = PartNames(project);
    m_checked = std::move(problems);
    update();
}

void ProblemModel::setBuildProblems(std::vector<Problem> problems, const Json &project)
{
    m_builtNames = PartNames(project);
    m_built = std::move(problems);
    update();
}

void ProblemModel::update()
{
    std::vector<Problem> problems = m_built;
    problems.insert(problems.end(), m_checked.begin(), m_checked.end());
    if (problems == m_problems)
        return;
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
    emit countChanged();
}

} // namespace weir::editor
