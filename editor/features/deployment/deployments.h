#pragma once

#include "core/rows/row_model.h"
#include "features/deployment/deployment_rows.h"
#include "shell/fields/parameter_model.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QObject>

#include <map>
#include <optional>
#include <string>

namespace weir::editor {

class Fields;
class RunController;
class Session;
class RunListModel;

/// Scheduler in the list of choices.
struct SchedulerRow {
    Q_GADGET
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString title MEMBER title)
    Q_PROPERTY(QString documentation MEMBER documentation)
    Q_PROPERTY(QString refused MEMBER refused)
    Q_PROPERTY(QString group MEMBER group)

  public:
    QString name;
    QString title;
    QString documentation;
    QString refused; ///< why it cannot run the graph, or not on this machine; empty if it can
    QString group;   ///< name of the runtime, for its first scheduler

    bool operator==(const SchedulerRow&) const = default;
};

/// The chosen deployment and the run settings, as edited in the deployment bar and its panel.
class Deployments : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool exists READ exists NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)
    Q_PROPERTY(QString scheduler READ scheduler NOTIFY changed)
    Q_PROPERTY(QString schedulerProblem READ schedulerProblem NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* schedulers READ schedulers CONSTANT)
    Q_PROPERTY(QString schedulerTitle READ schedulerTitle NOTIFY changed)
    Q_PROPERTY(QString schedulerDocumentation READ schedulerDocumentation NOTIFY changed)
    Q_PROPERTY(int problemCount READ problemCount NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* scheduling READ scheduling CONSTANT)
    Q_PROPERTY(QAbstractItemModel* schedulerParameters READ schedulerParameters CONSTANT)
    Q_PROPERTY(QAbstractItemModel* privileges READ privileges CONSTANT)
    Q_PROPERTY(QAbstractItemModel* machine READ machine CONSTANT)
    Q_PROPERTY(QAbstractItemModel* build READ build CONSTANT)
    Q_PROPERTY(QAbstractItemModel* volk READ volk CONSTANT)
    Q_PROPERTY(QAbstractItemModel* run READ run CONSTANT)
    Q_PROPERTY(QAbstractItemModel* trace READ trace CONSTANT)
    Q_PROPERTY(bool panelOpen READ isPanelOpen WRITE setPanelOpen NOTIFY panelChanged)
    Q_PROPERTY(int panelTab READ panelTab WRITE setPanelTab NOTIFY panelChanged)

  public:
    enum Tab { Scheduler, Build, Run, Machine };
    Q_ENUM(Tab)

    Deployments(Session& session, Fields& fields, const RunController& runner, const RunListModel& runs,
                QObject* parent = nullptr);

    bool exists() const;
    QString name() const;
    QString scheduler() const;
    QString schedulerProblem() const;
    QAbstractItemModel* schedulers() { return &m_schedulers; }
    QString schedulerTitle() const;
    QString schedulerDocumentation() const;
    /// Return the number of settings in the panel with a problem.
    int problemCount() const;
    QAbstractItemModel* scheduling() { return &m_scheduling; }
    QAbstractItemModel* schedulerParameters() { return &m_schedulerParameters; }
    QAbstractItemModel* privileges() { return &m_privileges; }
    QAbstractItemModel* machine() { return &m_machine; }
    QAbstractItemModel* build() { return &m_build; }
    QAbstractItemModel* volk() { return &m_volk; }
    QAbstractItemModel* run() { return &m_run; }
    QAbstractItemModel* trace() { return &m_trace; }
    bool isPanelOpen() const { return m_panelOpen; }
    void setPanelOpen(bool open);
    /// Open the panel with the keyboard in its first field.
    void enterPanel();
    int panelTab() const { return m_panelTab; }
    void setPanelTab(int tab);

    Q_INVOKABLE void add();
    Q_INVOKABLE void duplicate();
    Q_INVOKABLE void remove();
    /// Rename the deployment. Returns whether it has the new name now.
    Q_INVOKABLE bool rename(const QString& name);
    Q_INVOKABLE void chooseScheduler(const QString& scheduler);
    /// Write the typed text of row `row` of `scheduling`. A project without a deployment first gets one like the
    /// implicit one.
    Q_INVOKABLE void commitScheduling(int row, const QString& typed);

    /// Open the panel at a field of a deployment, or of the run settings.
    void show(const QString& deployment, const QString& field);
    Q_INVOKABLE void showRun(const QString& field);
    /// Return a field of the run settings of the project, or its default: `10 M`.
    Q_INVOKABLE QString runValue(const QString& field) const;

  signals:
    void changed();
    void panelChanged();
    void renameRequested();
    /// Emitted to give the keyboard to the choice of the scheduler.
    void schedulerRequested();
    void choiceRequested();

  private:
    void make(const std::string& scheduler, bool keepOwn);
    void beFresh(const QString& deployment);
    QString newestRun(const QString& deployment) const;
    void registerActions();
    void update();
    void listSchedulers();
    void choose(const QString& name);

    Session& m_session;
    Fields& m_fields;
    const RunController& m_runner;
    const RunListModel& m_runs;
    RowModel<SchedulerRow> m_schedulers;
    ParameterModel m_scheduling;
    ParameterModel m_schedulerParameters;
    ParameterModel m_privileges;
    ParameterModel m_machine;
    ParameterModel m_build;
    ParameterModel m_volk;
    ParameterModel m_run;
    ParameterModel m_trace;
    KernelCallers m_callers;
    std::optional<int> m_callersOf;  ///< revision of the document's content for which they were computed
    std::map<std::string, std::string> m_refused;  ///< schedulers that cannot run the graph, with the reason
    bool m_panelOpen = false;
    int m_panelTab = Scheduler;
    QString m_fresh;  ///< the newest deployment, while it has its first name
    QString m_runBefore;  ///< newest run under this name before the deployment was made; empty: none
};

}  // namespace weir::editor
