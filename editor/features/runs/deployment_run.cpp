#include "features/runs/deployment_run.h"

#include "core/deployment/deployment_edits.h"
#include "features/runs/run_library.h"
#include "features/runs/run_view.h"
#include "shell/session/session.h"

namespace weir::editor {

DeploymentRun::DeploymentRun(Session& session, RunLibrary& library, RunView& view, QObject* parent)
    : QObject(parent), m_session(session), m_library(library), m_view(view) {
    connect(&session, &Session::deploymentsChanged, this, &DeploymentRun::follow);
    connect(&library, &RunLibrary::listed, this, &DeploymentRun::follow);
    connect(&view, &RunView::changed, this, &DeploymentRun::follow);
    // Staleness depends on the project.
    connect(&library.list(), &RunListModel::dataChanged, this, &DeploymentRun::changed);
}

QString DeploymentRun::deployment() const {
    return m_session.deployments().isEmpty() ? QLatin1String(kOwnDeployment) : m_session.deployment();
}

bool DeploymentRun::isShownHere(const RunRow& row) const {
    // A run of a program that Weir did not generate has the name of its runtime.
    return row.deployment == deployment() || (!m_session.deployments().contains(row.deployment) && row.path != m_left);
}

void DeploymentRun::follow() {
    if (m_deployment != deployment()) m_left = m_view.path();
    const RunRow* row = m_library.list().run(m_view.path());
    if (!row || !row->isReadable() || !isShownHere(*row)) row = m_library.list().newestOf(deployment());
    const QString path = row ? row->path : QString();
    if (path == m_record.path && m_deployment == deployment()) return;
    m_deployment = deployment();
    m_record = path.isEmpty() ? RunRecord{} : readRun(path);
    emit changed();
}

QString DeploymentRun::label() const {
    const RunRow* row = m_library.list().run(m_record.path);
    return row ? tr("%1 · %2").arg(row->deployment, m_library.list().moment(row->path)) : deployment();
}

QString DeploymentRun::differs() const { return m_library.list().differs(m_record.path); }

QString DeploymentRun::differsInShort() const { return m_library.list().differsInShort(m_record.path); }

bool DeploymentRun::isStale() const { return isKnown() && m_library.list().isStale(m_record.path); }

} // namespace weir::editor
