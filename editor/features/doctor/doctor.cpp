#include "features/doctor/doctor.h"

#include "core/deployment/deployment_edits.h"
#include "core/json/json_reader.h"
#include "core/text/prose.h"
#include "shell/session/session.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr std::chrono::seconds kDelay{2};
constexpr qint64 kFreshMs = 30000;

} // namespace

Doctor::Doctor(Session& session, QObject* parent)
    : QObject(parent), m_session(session),
      m_ask(session.command(),
            {.key =
                 [this] {
                     return QStringLiteral("%1 %2")
                         .arg(m_session.document().meaning())
                         .arg(m_session.document().folder());
                 },
             .request =
                 [this] {
                     return CliRequest{
                         .arguments = {QStringLiteral("doctor"), QStringLiteral("-"), QStringLiteral("--json")},
                         .input = QByteArray::fromStdString(m_session.document().canonicalText()),
                         .folder = m_session.document().folder()};
                 },
             .answered = [this](const CliAnswer& answer) { receive(answer); },
             .late = [this] { consider(); }},
            nullptr) {
    m_settled.setSingleShot(true);
    m_settled.setInterval(kDelay);
    connect(&m_settled, &QTimer::timeout, this, [this] {
        if (mayAsk()) m_ask.now();
    });
    connect(&m_ask, &Ask::stateChanged, this, &Doctor::changed);
    connect(&session, &Session::problemsChanged, this, &Doctor::consider);
    connect(&session, &Session::deploymentsChanged, this, &Doctor::update);
    connect(&session.document(), &Document::replaced, this, [this] {
        m_ask.forget();
        m_answer = {};
        m_failure.clear();
        update();
    });
    session.actions().add({.id = QStringLiteral("run.doctor"),
                           .group = ActionGroup::Run,
                           .title = tr("Check this machine for measurement noise…"),
                           .run =
                               [this] {
                                   look();
                                   emit opened();
                               },
                           .words = tr("doctor noisy machine governor turbo interrupts isolation real time")});
}

/// Return whether to ask the doctor: the project must be able to run, and its deployment to be planned.
bool Doctor::mayAsk() const {
    return !m_quiet && m_session.isChecked() && !m_session.isEmpty() && m_session.hindrances().isEmpty();
}

void Doctor::consider() {
    if (!mayAsk() || m_ask.isUpToDate()) m_settled.stop();
    else if (!m_ask.isAsking()) m_settled.start();
}

void Doctor::setQuiet(bool quiet) {
    if (m_quiet == quiet) return;
    m_quiet = quiet;
    if (quiet && m_ask.isAsking()) m_ask.forget();
    consider();
}

void Doctor::look() {
    if (!m_age.isValid() || m_age.elapsed() > kFreshMs) again();
}

void Doctor::again() {
    if (mayAsk()) m_ask.now();
}

void Doctor::copy(const QString& command) const { QGuiApplication::clipboard()->setText(command); }

void Doctor::receive(const CliAnswer& answer) {
    const auto parsed = readJson(answer.output.toStdString());
    const Json* said = answer.isFine() ? std::get_if<Json>(&parsed) : nullptr;
    const bool isAnswer = said && findingsFor(*said, {});
    m_answer = isAnswer ? *said : Json();
    m_failure = isAnswer ? QString() : answer.explanation();
    m_age.start();
    update();
}

void Doctor::update() {
    const QString chosen = m_session.deployment();
    m_findings.setRows(findingsFor(m_answer, chosen.isEmpty() ? QLatin1String(kOwnDeployment) : chosen)
                           .value_or(std::vector<DoctorFinding>()));
    emit changed();
}

int Doctor::countOf(const char* severity) const {
    return static_cast<int>(std::count_if(rows().begin(), rows().end(), [severity](const DoctorFinding& one) {
        return one.severity == QLatin1String(severity);
    }));
}

bool Doctor::isBroken() const { return countOf("broken") > 0; }

QString Doctor::summary() const {
    QStringList said;
    if (const int broken = countOf("broken"); broken > 0)
        said.append(tr("%n requested setting(s) will not work on this machine", nullptr, broken));
    if (const int noisy = countOf("noisy"); noisy > 0)
        said.append(tr("%n source(s) of noise in this measurement", nullptr, noisy));
    return said.join(QStringLiteral(" · "));
}

QString Doctor::brief() const {
    const int broken = countOf("broken");
    return broken > 0 ? tr("%n setting(s) will not work", nullptr, broken)
                      : tr("%n source(s) of noise", nullptr, countOf("noisy"));
}

std::optional<std::vector<DoctorFinding>> findingsFor(const Json& answer, const QString& deployment) {
    const Json* all = member(answer, "findings");
    if (!all || !all->is_array()) return {};
    std::vector<DoctorFinding> found;
    for (const Json& entry : *all) {
        const QString severity = string(entry, "severity");
        if (severity != QLatin1String("broken") && severity != QLatin1String("noisy")) continue;
        const Json& concerns = list(member(entry, "concerns"));
        QString why;
        for (const Json& concern : concerns)
            if (string(concern, "deployment") == deployment) why = prose(concern, "message");
        if (why.isEmpty() && !concerns.empty()) continue;
        DoctorFinding finding{
            string(entry, "title"), severity, prose(entry, "message"), why.isEmpty() ? prose(entry, "why") : why, {},
            prose(entry, "remedy")};
        for (const Json& command : list(member(entry, "commands")))
            finding.commands.append(QString::fromStdString(text(&command)));
        found.push_back(std::move(finding));
    }
    return found;
}

} // namespace weir::editor
