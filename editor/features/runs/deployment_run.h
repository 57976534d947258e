#pragma once

#include "core/runs/run_record.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

class Session;
class RunLibrary;
class RunView;
struct RunRow;

/// Run whose numbers are on the graph: the run selected in the results if it is of the chosen deployment, or of none of
/// the project's deployments; else the newest one of the chosen deployment.
class DeploymentRun : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Results")

    Q_PROPERTY(bool known READ isKnown NOTIFY changed)
    Q_PROPERTY(QString path READ path NOTIFY changed)
    Q_PROPERTY(QString label READ label NOTIFY changed)
    Q_PROPERTY(bool stale READ isStale NOTIFY changed)
    Q_PROPERTY(QString differs READ differs NOTIFY changed)
    Q_PROPERTY(QString differsInShort READ differsInShort NOTIFY changed)

  public:
    DeploymentRun(Session& session, RunLibrary& library, RunView& view, QObject* parent);

    bool isKnown() const { return m_record.isReadable() && !m_record.path.isEmpty(); }
    QString path() const { return m_record.path; }
    /// Return the results object, or null.
    const Json* results() const { return isKnown() ? &m_record.results : nullptr; }
    QString status() const { return statusOf(m_record); }
    /// Return the deployment and time of the run, with the number of its repetition.
    QString label() const;
    /// Return whether the run is of an earlier version of the project.
    bool isStale() const;
    /// Return what has changed in the project since.
    QString differs() const;
    QString differsInShort() const;
    /// Return the chosen deployment, or the implicit one of a project without deployments.
    QString deployment() const;

  signals:
    void changed();

  private:
    void follow();
    bool isShownHere(const RunRow& row) const;

    Session& m_session;
    RunLibrary& m_library;
    RunView& m_view;
    RunRecord m_record;
    QString m_deployment;  ///< deployment for which the run was searched
    QString m_left;  ///< run that was selected when the user chose this deployment instead
};

}  // namespace weir::editor
