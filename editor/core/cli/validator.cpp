#include "validator.h"

#include "json_reader.h"

namespace weir::editor {
namespace {

constexpr int kDelayMs = 300;

} // namespace

Validator::Validator(const CliCommand &command, Document &document, ProblemModel &problems, QObject *parent)
    : QObject(parent), m_command(command), m_document(document), m_problems(problems)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &Validator::validateNow);
    connect(&document, &Document::changed, &m_delay, qOverload<>(&QTimer::start));
    connect(&document, &Document::replaced, this, [this] {
        // Until the answer is there, the problems are those of another project, and so are their corrections.
        m_problems.setProblems({}, m_document.json());
        m_essence.clear();
        validateNow();
    });
    // The paths of files in a project begin at its folder.
    connect(&document, &Document::pathChanged, this, [this] {
        if (m_document.folder() != m_folder)
            validateNow();
    });
}

void Validator::validateNow()
{
    m_delay.stop();
    abandonCall(m_process);
    m_folder = m_document.folder();
    const int revision = m_document.revision();
    const QStringList arguments{QStringLiteral("validate"), QStringLiteral("-"), QStringLiteral("--json"),
                                QStringLiteral("--values"), QStringLiteral("--revision"), QString::number(revision)};
    m_process = callCli(m_command, arguments, QByteArray::fromStdString(m_document.canonicalText()), m_document.folder(), this,
                        [this, revision](const CliAnswer &answer) { receive(answer, revision); });
}

void Validator::receive(const CliAnswer &answer, int revision)
{
    if (revision != m_document.revision())
        return;
    const auto parsed = readJson(answer.output.toStdString());
    const Json *json = std::get_if<Json>(&parsed);
    const Json *answeredRevision = json ? member(*json, "revision") : nullptr;
    m_answeredRevision = revision;
    if (!answeredRevision || *answeredRevision != revision) {
        m_values = {};
        m_problems.setProblems({}, m_document.json());
        emit failed(tr("The project could not be checked: %1").arg(answer.explanation()));
        return;
    }
    m_values = CheckedValues::from(*json);
    // What is not understood at the moment is a version of what was.
    if (const std::string essence = text(member(*json, "essence")); !essence.empty())
        m_essence = QString::fromStdString(essence);
    std::vector<Problem> problems = problemsFrom(*json, m_document.json());
    // Nobody who has not begun yet is told that nothing is there.
    if (m_document.isUntouched())
        std::erase_if(problems, [](const Problem &problem) { return problem.code == QLatin1String("E_GRAPH_EMPTY"); });
    m_problems.setProblems(std::move(problems), m_document.json());
    emit answered();
}

} // namespace weir::editor
