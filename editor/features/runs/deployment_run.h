#pragma once

#include "core/runs/run_record.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

class Session;
class RunLibrary;
class RunView;

/// The run whose numbers stand beside the chosen deployment: the one chosen in the results where it is of this
/// deployment, else the newest of it.
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
    /// A results object, or null.
    const Json* results() const { return isKnown() ? &m_record.results : nullptr; }
    QString status() const { return statusOf(m_record); }
    /// Return the deployment and time of the run, and which of its repetitions it is.
    QString label() const;
    /// True if the run is of an earlier version of the project.
    bool isStale() const;
    /// Return what has changed in the project since.
    QString differs() const;
    QString differsInShort() const;
    /// The chosen deployment; what the project without one has.
    QString deployment() const;

  signals:
    void changed();

  private:
    void follow();

    Session& m_session;
    RunLibrary& m_library;
    RunView& m_view;
    RunRecord m_record;
    QString m_deployment; ///< that it was looked for
};

} // namespace weir::editor
