// Preview of a candidate, and its way into the project.

#include "features/tuning/tuner.h"

#include "core/deployment/deployment_edits.h"
#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "core/runs/run_row.h"
#include "core/text/value_text.h"
#include "core/tuning/tune_moves.h"
#include "features/tuning/tune_words.h"
#include "shell/session/session.h"

#include <cmath>

namespace weir::editor {
namespace {

/// Return a deployment without its name.
Json withoutName(Json deployment) {
    if (deployment.is_object()) deployment.erase("name");
    return deployment;
}

/// Compare two deployments regardless of the order of their keys.
bool isSame(const Json& a, const Json& b) { return nlohmann::json::parse(a.dump()) == nlohmann::json::parse(b.dump()); }

Json deploymentOf(const Json& project, const QString& name) {
    const auto place = deploymentPointer(project, name.toStdString());
    const Json* found = place ? find(project, *place) : nullptr;
    return found ? *found : Json::object();
}

} // namespace

const TunedCandidate* Tuner::candidate() const {
    return m_answer && m_chosen >= 0 && m_chosen < static_cast<int>(m_answer->candidates.size())
               ? &m_answer->candidates[static_cast<std::size_t>(m_chosen)]
               : nullptr;
}

void Tuner::listRows() {
    std::vector<TuneRow> rows;
    if (m_answer)
        for (const TunedCandidate& candidate : m_answer->candidates)
            rows.push_back(tuneRow(candidate, ownNameOf(candidate)));
    m_rows.setRows(std::move(rows));
}

void Tuner::choose(int row) {
    m_chosen = row;
    std::vector<TuneChange> changes;
    if (const TunedCandidate* of = candidate(); of && of->plan && m_answer->start)
        changes =
            tuneChanges(*m_answer->start, deploymentOf(m_startProject, m_answer->startName), *of->plan, of->deployment);
    m_changes.setRows(std::move(changes));
    emit changed();
    showPreview();
}

void Tuner::setOnGraph(bool on) {
    if (std::exchange(m_onGraph, on) != on) showPreview();
}

void Tuner::showPreview() {
    const TunedCandidate* of = m_open && m_onGraph ? candidate() : nullptr;
    m_previewing = of && of->plan && m_answer->start;
    QHash<QString, WorkerMark> marks;
    if (m_previewing) marks = tuneMarks(*m_answer->start, *of->plan);
    m_blockColours.clear();
    for (auto it = marks.constBegin(); it != marks.constEnd(); ++it)
        m_blockColours.insert(it.key(), it->colours.constLast());
    m_session.blockModel().say(m_role, saidOf(marks));
    emit previewChanged();
}

QString Tuner::before() const {
    if (!m_answer || !m_answer->measuredStart)
        return m_answer ? tr("%1 was not measured").arg(m_answer->startName) : QString();
    const TuneRow row = tuneRow(*m_answer->measuredStart, {});
    return QStringList{tr("%1 now: %2").arg(m_answer->startName, row.measured), row.p99}.join(QStringLiteral(" · "));
}

QString Tuner::summary() const {
    if (!m_answer) return {};
    QStringList parts{tr("%n deployment(s) tried", nullptr, m_answer->tried)};
    if (m_answer->interrupted) parts.append(tr("stopped early"));
    if (m_answer->leftOut > 0) parts.append(tr("%n not built", nullptr, m_answer->leftOut));
    if (!std::isnan(m_answer->predictionError))
        parts.append(tr("predictions off by %1").arg(shareText(m_answer->predictionError)));
    return parts.join(QStringLiteral(" · "));
}

QString Tuner::ownNameOf(const TunedCandidate& candidate) const {
    for (const Json& deployment : list(find(m_session.document().json(), kDeployments)))
        if (isSame(withoutName(deployment), candidate.deployment)) return string(deployment, "name");
    return {};
}

bool Tuner::isKnown() const { return m_session.document().meaning() == m_meaning || m_session.isChecked(); }

QString Tuner::differs() const {
    if (!m_answer || m_session.document().meaning() == m_meaning || !m_session.isChecked()) return {};
    return otherParts(m_essence, m_session.essence(), m_deployment);
}

QString Tuner::wantedName() const {
    const TunedCandidate* of = candidate();
    if (!of) return {};
    const QString goal = of->bestFor.contains(m_answer->goal) ? m_answer->goal : of->bestFor.value(0, m_answer->goal);
    return QString::fromStdString(freeDeploymentName(m_session.document().json(), "tuned_" + goal.toStdString()));
}

QString Tuner::refusal() const {
    const TunedCandidate* of = candidate();
    if (!of) return {};
    if (m_session.isLookOnly()) return tr("The project is read-only.");
    if (!isKnown()) return tr("The project is being checked.");
    if (isStale()) return tr("This result is for another version of the project (%1). Tune again.").arg(differs());
    const QString own = ownNameOf(*of);
    return own.isEmpty() ? QString() : tr("The project already has this deployment, as %1.").arg(own);
}

bool Tuner::apply() {
    if (const QString why = refusal(); !candidate() || !why.isEmpty()) {
        m_session.setNotice(why);
        return false;
    }
    const QString name = wantedName();
    Json deployment{{"name", name.toStdString()}};
    for (const auto& setting : candidate()->deployment.items()) deployment[setting.key()] = setting.value();
    if (!m_session.edit(tr("Add deployment %1").arg(name), [&](Transaction& t) { t.append(kDeployments, deployment); }))
        return false;
    m_session.setDeploymentIndex(static_cast<int>(m_session.deployments().indexOf(name)));
    m_session.setNotice(tr("Deployment %1 was added and is chosen. Undo removes it.").arg(name), true);
    // The chosen deployment now equals the previewed one, so no block would move.
    setOnGraph(false);
    return true;
}

void Tuner::discard() {
    m_answer.reset();
    m_chosen = -1;
    m_rows.setRows({});
    m_changes.setRows({});
    showPreview();
    emit changed();
}

void Tuner::follow() {
    listRows();
    emit changed();
}

} // namespace weir::editor
