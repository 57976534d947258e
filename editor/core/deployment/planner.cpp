#include "core/deployment/planner.h"

#include "core/deployment/mapping_edits.h"
#include "core/edits/project_edits.h"
#include "core/json/canonical_json.h"
#include "core/json/json_reader.h"

namespace weir::editor {
namespace {

constexpr std::chrono::milliseconds kDelay{250};

} // namespace

QString PlanAnswer::whyNoPlan() const {
    for (const Problem& problem : problems)
        if (problem.severity == QLatin1String("error"))
            return problem.hint.isEmpty() ? problem.message : problem.message + QStringLiteral(" · ") + problem.hint;
    return failure;
}

PlanAnswer planAnswerFrom(const CliAnswer& answer, const Json& project) {
    PlanAnswer found;
    const Json json = jsonFrom(answer.output);
    if (!member(json, "diagnostics")) {
        found.failure = answer.explanation();
        return found;
    }
    found.plan = planFrom(member(json, "plan"));
    found.machine = machineFrom(member(json, "machine"));
    found.problems = problemsFrom(json, project);
    return found;
}

Planner::Planner(const CliCommand& command, Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_ask(command,
                                                   {.key = [this] { return key(); },
                                                    .request = [this] { return request(); },
                                                    .answered =
                                                        [this](const CliAnswer& answer) {
                                                            m_answer = planAnswerFrom(answer, m_document.json());
                                                            emit answered();
                                                        },
                                                    .delay = kDelay},
                                                   nullptr) {
    m_ask.setActive(false);
    connect(&document, &Document::changed, this, &Planner::askSoon);
    connect(&document, &Document::replaced, this, [this] {
        m_preview.clear();
        m_answer = {};
        askSoon();
    });
}

void Planner::setDeployment(const QString& name) {
    if (m_deployment == name) return;
    m_deployment = name;
    m_preview.clear();
    askSoon();
}

void Planner::setMachineFile(const QString& path) {
    m_machineFile = path;
    askAtOnce();
}

void Planner::setPreview(const QString& strategy) {
    if (m_preview == strategy) return;
    m_preview = strategy;
    askAtOnce();
}

void Planner::askSoon() {
    m_ask.refresh();
    emit outdated();
}

void Planner::askAtOnce() {
    m_ask.forget(); // a file of the project may have changed
    m_ask.refresh();
    emit outdated();
}

QString Planner::key() const {
    return QStringList{QString::number(m_document.meaning()), m_document.folder(), m_deployment, m_machineFile,
                       m_preview}
        .join(u'\n');
}

std::string Planner::projectText() const {
    if (m_preview.isEmpty()) return m_document.canonicalText();
    Json modified = m_document.json();
    if (const auto deployment = deploymentPointer(modified, m_deployment.toStdString())) {
        Transaction transaction(modified);
        writeStrategy(transaction, *deployment, m_preview.toStdString());
    }
    return canonicalText(modified);
}

CliRequest Planner::request() const {
    QStringList arguments{QStringLiteral("plan"), QStringLiteral("-"), QStringLiteral("--diagnostics")};
    if (!m_deployment.isEmpty()) arguments << QStringLiteral("--deployment") << m_deployment;
    if (!m_machineFile.isEmpty()) arguments << QStringLiteral("--machine") << m_machineFile;
    return {arguments, QByteArray::fromStdString(projectText()), m_document.folder()};
}

} // namespace weir::editor
