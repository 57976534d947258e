#pragma once

#include "core/ask/ask.h"
#include "core/deployment/machine.h"
#include "core/deployment/plan_view.h"
#include "core/document/document.h"
#include "core/problems/problem_model.h"

#include <QObject>

#include <optional>
#include <vector>

namespace weir::editor {

/// Answer of `weir plan --diagnostics` for one state of a project.
struct PlanAnswer {
    std::optional<PlanView> plan;
    std::optional<Machine> machine;
    std::vector<Problem> problems;
    QString failure; ///< why the command line gave no answer

    /// Return the first error and its hint, to show instead of the plan.
    QString whyNoPlan() const;
};

PlanAnswer planAnswerFrom(const CliAnswer& answer, const Json& project);

/// Requests the plan of the document some time after its last change.
class Planner : public QObject {
    Q_OBJECT

  public:
    Planner(const CliCommand& command, Document& document, QObject* parent = nullptr);

    /// Requests only while a view shows the plan; activating it catches up on changes.
    void setActive(bool active) { m_ask.setActive(active); }
    bool isActive() const { return m_ask.isActive(); }
    void setDeployment(const QString& name);
    /// Sets a machine file; empty for this machine.
    void setMachineFile(const QString& path);
    QString machineFile() const { return m_machineFile; }

    /// Plans with this strategy instead of the document's placement, without changing the document; empty ends it.
    void setPreview(const QString& strategy);
    QString preview() const { return m_preview; }

    const PlanAnswer& answer() const { return m_answer; }
    /// True if the answer is about the present document, deployment, machine and preview.
    bool isUpToDate() const { return m_ask.isUpToDate() && !m_ask.isBusy(); }

  signals:
    void answered();
    /// The present answer is out of date.
    void outdated();

  private:
    QString key() const;
    CliRequest request() const;
    void askSoon();
    /// Requests at once: the user chose something and waits.
    void askAtOnce();
    std::string projectText() const;

    Document& m_document;
    Ask m_ask;
    PlanAnswer m_answer;
    QString m_deployment;
    QString m_machineFile;
    QString m_preview;
};

} // namespace weir::editor
