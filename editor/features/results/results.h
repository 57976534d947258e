#pragma once

#include "features/heat/heat_map.h"
#include "features/runs/deployment_run.h"
#include "features/runs/run_library.h"
#include "features/runs/run_view.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>

namespace weir::editor {

class RunController;
class Session;

/// Results: all runs, the selected run, and the numbers on the canvas.
class Results : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(weir::editor::RunLibrary* library READ library CONSTANT)
    Q_PROPERTY(weir::editor::RunView* run READ run CONSTANT)
    /// Run whose numbers are beside the chosen deployment.
    Q_PROPERTY(weir::editor::DeploymentRun* shown READ shown CONSTANT)
    Q_PROPERTY(weir::editor::HeatMap* heat READ heat CONSTANT)
    /// True if the numbers of the shown run fit the graph.
    Q_PROPERTY(bool fitsGraph READ fitsGraph NOTIFY graphChanged)
    /// Deployments of the project whose workers do not park while they wait.
    Q_PROPERTY(QStringList restless READ restless NOTIFY restlessChanged)
    /// Throughputs of the valid runs of the shown run's point, oldest first, and the index of this run.
    Q_PROPERTY(QList<double> history READ history NOTIFY graphChanged)
    Q_PROPERTY(int historyPlace READ historyPlace NOTIFY graphChanged)

  public:
    Results(Session& session, RunController& runner, QObject* parent = nullptr);

    RunLibrary* library() { return &m_library; }
    RunView* run() { return &m_run; }
    HeatMap* heat() { return &m_heat; }
    DeploymentRun* shown() { return &m_shown; }
    bool fitsGraph() const;
    QStringList restless() const;
    QList<double> history() const;
    int historyPlace() const;

    /// Show this run and choose its deployment, so that its numbers appear on the graph if it has any.
    Q_INVOKABLE void show(const QString& path);
    /// Go to the graph with the numbers of the shown run, and choose its deployment.
    Q_INVOKABLE void showOnGraph();
    /// Repeat this run with the time of each call measured. This is a separate run, as measuring costs throughput.
    Q_INVOKABLE void profile(const QString& path);
    /// Let the workers of a deployment park while they wait.
    Q_INVOKABLE void park(const QString& deployment);
    Q_INVOKABLE void copyText(const QString& text) const;

  signals:
    void graphChanged();
    void restlessChanged();

  private:
    void registerActions();
    void choose();
    /// Return the shown run if its work time was not measured. Results shows the run of its page; the other views show
    /// the run on the graph.
    QString withoutProfile() const;
    RunRow ofChosenDeployment(const RunRow& newest) const;
    QList<RunRow> validRuns() const;

    Session& m_session;
    RunController& m_runner;
    RunLibrary m_library;
    RunView m_run;
    DeploymentRun m_shown;
    HeatMap m_heat;
    bool m_newRun = false;
};

}  // namespace weir::editor
