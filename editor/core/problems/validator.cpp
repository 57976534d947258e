#include "core/problems/validator.h"

#include "core/document/project_places.h"
#include "core/json/json_reader.h"

#include <algorithm>

namespace weir::editor {
namespace {

bool isGap(const Problem& problem) {
    return problem.code == QLatin1String("E_PORT_OPEN") || problem.code == QLatin1String("E_PARAMETER_MISSING");
}

constexpr std::chrono::milliseconds kDelay{300};

} // namespace

void Completeness::judge(std::vector<Problem>& problems, const Json& project, int steps) {
    m_complete.removeIf([steps](const auto& entry) { return entry.value() > steps; });
    QSet<QString> wrong;
    for (Problem& problem : problems) {
        if (problem.severity != QLatin1String("error")) continue;
        wrong.insert(problem.block);
        // An undecided item type is a choice that the user has not made yet.
        if (problem.code == QLatin1String("E_GRAPH_EMPTY") || problem.code == QLatin1String("E_TYPE_AMBIGUOUS") ||
            (isGap(problem) && !problem.block.isEmpty() && !m_complete.contains(problem.block)))
            problem.severity = kUnfinished;
    }
    // A connection to nowhere keeps the checker from reporting open ports.
    const bool seen = std::none_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.code == QLatin1String("E_BLOCK_UNKNOWN");
    });
    for (const Json& block : list(find(project, kGraph.blocks)))
        if (const QString id = string(block, "id"); seen && !wrong.contains(id) && !m_complete.contains(id))
            m_complete.insert(id, steps);
}

Validator::Validator(const CliCommand& command, Document& document, ProblemModel& problems, QObject* parent)
    : QObject(parent), m_document(document), m_problems(problems),
      m_ask(command,
            {.key = [this] { return key(); },
             .request = [this] { return request(); },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .delay = kDelay},
            this) {
    connect(&document, &Document::changed, &m_ask, &Ask::refresh);
    connect(&document, &Document::replaced, this, [this] {
        // Until the answer arrives, the problems and fixes are those of another project.
        m_problems.setProblems({}, m_document.json());
        m_essence.clear();
        m_completeness.forget();
        validateNow();
    });
    connect(&document, &Document::pathChanged, &m_ask, &Ask::refresh);
}

/// Includes the folder: file paths of a project are relative to it.
QString Validator::key() const { return QString::number(m_document.meaning()) + u'\n' + m_document.folder(); }

CliRequest Validator::request() const {
    return {{QStringLiteral("validate"), QStringLiteral("-"), QStringLiteral("--json"), QStringLiteral("--values"),
             QStringLiteral("--revision"), QString::number(m_document.meaning())},
            QByteArray::fromStdString(m_document.canonicalText()),
            m_document.folder()};
}

void Validator::receive(const CliAnswer& answer) {
    const Json json = jsonFrom(answer.output);
    const Json* answeredRevision = member(json, "revision");
    if (!answeredRevision || *answeredRevision != m_document.meaning()) {
        m_values = {};
        m_problems.setProblems({}, m_document.json());
        emit failed(tr("The project could not be checked: %1").arg(answer.explanation()));
        return;
    }
    m_values = CheckedValues::from(json);
    // While the project cannot be read, the answer has no essence: the last one stays.
    std::vector<Problem> problems = problemsFrom(json, m_document.json());
    if (const std::string essence = text(member(json, "essence")); !essence.empty()) {
        m_essence = QString::fromStdString(essence);
        m_completeness.judge(problems, m_document.json(), m_document.undoStack().index());
    }
    // An untouched project is not reported as empty.
    if (m_document.isUntouched())
        std::erase_if(problems, [](const Problem& problem) { return problem.code == QLatin1String("E_GRAPH_EMPTY"); });
    m_problems.setProblems(std::move(problems), m_document.json());
    emit answered();
}

} // namespace weir::editor
