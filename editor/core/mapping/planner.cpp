#include "planner.h"

#include "canonical_json.h"
#include "json_reader.h"
#include "mapping_edits.h"
#include "project_edits.h"

namespace weir::editor {
namespace {

constexpr int kDelayMs = 250;

} // namespace

QString PlanAnswer::whyNoPlan() const
{
    for (const Problem &problem : problems)
        if (problem.severity == QLatin1String("error"))
            return problem.message;
    return failure;
}

PlanAnswer planAnswerFrom(const CliAnswer &answer, const Json &project)
{
    PlanAnswer found;
    const auto parsed = readJson(answer.output.toStdString());
    const Json *json = std::get_if<Json>(&parsed);
    if (!json || !member(*json, "diagnostics")) {
        found.failure = answer.explanation();
        return found;
    }
    found.plan = planFrom(member(*json, "plan"));
    found.machine = machineFrom(member(*json, "machine"));
    found.problems = problemsFrom(*json, project);
    return found;
}

Planner::Planner(const CliCommand &command, Document &document, QObject *parent)
    : QObject(parent), m_command(command), m_document(document)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &Planner::ask);
    connect(&document, &Document::changed, this, &Planner::askSoon);
    connect(&document, &Document::replaced, this, [this] {
        m_preview.clear();
        m_answer = {};
        askSoon();
    });
}

void Planner::setActive(bool active)
{
    if (m_active == active)
        return;
    m_active = active;
    if (active && m_dirty)
        ask();
}

void Planner::setDeployment(const QString &name)
{
    if (m_deployment == name)
        return;
    m_deployment = name;
    m_preview.clear();
    askSoon();
}

void Planner::setMachineFile(const QString &path)
{
    m_machineFile = path;
    m_dirty = true;
    emit outdated();
    if (m_active)
        ask();
}

void Planner::setPreview(const QString &strategy)
{
    if (m_preview == strategy)
        return;
    m_preview = strategy;
    m_dirty = true;
    emit outdated();
    if (m_active)
        ask();
}

void Planner::askSoon()
{
    m_dirty = true;
    drop();
    emit outdated();
    if (m_active)
        m_delay.start();
}

void Planner::drop()
{
    m_delay.stop();
    abandonCall(m_process);
}

std::string Planner::projectText() const
{
    if (m_preview.isEmpty())
        return m_document.canonicalText();
    Json modified = m_document.json();
    if (const auto deployment = deploymentPointer(modified, m_deployment.toStdString())) {
        Transaction transaction(modified);
        writeStrategy(transaction, *deployment, m_preview.toStdString());
    }
    return canonicalText(modified);
}

void Planner::ask()
{
    drop();
    m_dirty = false;
    QStringList arguments{QStringLiteral("plan"), QStringLiteral("-"), QStringLiteral("--diagnostics")};
    if (!m_deployment.isEmpty())
        arguments << QStringLiteral("--deployment") << m_deployment;
    if (!m_machineFile.isEmpty())
        arguments << QStringLiteral("--machine") << m_machineFile;
    m_process = callCli(m_command, arguments, QByteArray::fromStdString(projectText()), m_document.folder(), this,
                        [this](const CliAnswer &answer) {
                            m_process = nullptr;
                            m_answer = planAnswerFrom(answer, m_document.json());
                            emit answered();
                        });
}

} // namespace weir::editor
