#include "features/deployment/deployments.h"

#include "core/deployment/deployment_edits.h"
#include "core/runs/run_list.h"
#include "features/deployment/deployment_rows.h"
#include "features/run/run_controller.h"
#include "shell/fields/fields.h"
#include "shell/fields/row_marks.h"
#include "shell/session/session.h"

#include <algorithm>
#include <optional>

namespace weir::editor {

Deployments::Deployments(Session& session, Fields& fields, const RunController& runner, const RunListModel& runs,
                         QObject* parent)
    : QObject(parent), m_session(session), m_fields(fields), m_runner(runner), m_runs(runs) {
    connect(&session, &Session::deploymentsChanged, this, &Deployments::update);
    connect(&session, &Session::problemsChanged, this, &Deployments::update);
    connect(&session, &Session::catalogChanged, this, [this] {
        m_callersOf.reset();
        update();
    });
    connect(&session, &Session::catalogChanged, this, &Deployments::listSchedulers);
    connect(&session.document(), &Document::replaced, this, [this] {
        setPanelOpen(false);
        m_fresh.clear();
    });
    registerActions();
    update();
}

void Deployments::registerActions() {
    const auto add = [this](const QString& id, const QString& title, std::function<void()> run, bool always = false) {
        m_session.actions().add({.id = QStringLiteral("deployment.") + id,
                                 .group = ActionGroup::Mapping,
                                 .title = title,
                                 .enabled = [this, always] { return always || exists(); },
                                 .run = std::move(run)});
    };
    add(QStringLiteral("add"), tr("Add a deployment"), [this] { this->add(); }, true);
    add(QStringLiteral("choose"), tr("Choose the deployment"), [this] { emit choiceRequested(); }, true);
    add(QStringLiteral("rename"), tr("Rename the deployment"), [this] { emit renameRequested(); }, true);
    add(QStringLiteral("duplicate"), tr("Duplicate the deployment"), [this] { duplicate(); }, true);
    add(QStringLiteral("delete"), tr("Delete the deployment"), [this] { remove(); });
    add(
        QStringLiteral("settings"), tr("Show the settings of the deployment and the run"), [this] { enterPanel(); },
        true);
    m_session.actions().add({.id = QStringLiteral("deployment.items"),
                             .group = ActionGroup::Mapping,
                             .title = tr("Set the number of items of a run"),
                             .run = [this] { showRun(QStringLiteral("items")); }});
    add(QStringLiteral("scheduler"), tr("Choose the scheduler"), [this] { emit schedulerRequested(); }, true);
    const auto addSetting = [this](const QString& title, const QString& field, const QString& words) {
        m_session.actions().add({.id = QStringLiteral("deployment.") + field,
                                 .group = ActionGroup::Mapping,
                                 .title = title,
                                 .enabled = [this] { return exists(); },
                                 .run = [this, field] { show(name(), field); },
                                 .words = words});
    };
    addSetting(tr("Choose the policy of the threads"), QStringLiteral("policy"),
               tr("real time priority fifo rr deadline timer slack"));
    addSetting(tr("Choose the implementation of VOLK"), QStringLiteral("implementation"),
               tr("vectors SIMD kernels alignment"));
    addSetting(tr("Isolate CPUs or add an interference load"), QStringLiteral("environment"),
               tr("machine quiet disturb governor interrupts loops"));
    const auto addField = [this](const QString& id, const QString& title, const QString& field) {
        m_session.actions().add({.id = QStringLiteral("deployment.") + id,
                                 .group = ActionGroup::Mapping,
                                 .title = title,
                                 .enabled = [this, field] { return m_scheduling.indexOf(field) >= 0; },
                                 .run = [this, field] { m_fields.focus(m_scheduling, field); }});
    };
    addField(QStringLiteral("workers"), tr("Set the number of workers"), QStringLiteral("workers"));
    addField(QStringLiteral("waiting"), tr("Choose what waiting workers do"), QStringLiteral("wait"));
    addField(QStringLiteral("chunk"), tr("Set the chunk size"), QStringLiteral("chunk_items"));
}

void Deployments::update() {
    const Json& project = m_session.document().json();
    const Catalog& catalog = m_session.scene().catalog();
    const auto show = [this](ParameterModel& model, std::vector<ParameterRow> rows) {
        markProblems(rows, m_session.problemModel());
        markValues(rows, m_session.checkedValues());
        model.setRows(std::move(rows));
    };
    show(m_scheduling, schedulingRows(project, catalog, name()));
    show(m_schedulerParameters, schedulerParameterRows(project, catalog, name()));
    show(m_privileges, privilegeRows(project, name()));
    show(m_machine, machineRows(project, name()));
    show(m_build, buildRows(project, catalog, name()));
    if (m_callersOf != m_session.document().meaning()) {
        m_callers = kernelCallers(project, catalog);
        m_callersOf = m_session.document().meaning();
    }
    show(m_volk, volkRows(project, catalog, name(), m_callers));
    show(m_run, runRows(project));
    show(m_trace, traceRows(project));
    // The last answer is used until the next one arrives.
    if (const CheckedValues* values = m_session.checkedValues(); values && values->refusedSchedulers != m_refused) {
        m_refused = values->refusedSchedulers;
        listSchedulers();
    }
    emit changed();
}

bool Deployments::exists() const {
    return deploymentPointer(m_session.document().json(), name().toStdString()).has_value();
}

QString Deployments::name() const { return m_session.deployment(); }

QString Deployments::scheduler() const {
    const auto place = deploymentPointer(m_session.document().json(), name().toStdString());
    return place ? QString::fromStdString(text(find(m_session.document().json(), *place / "scheduler")))
                 : QLatin1String(kOwnDeployment);
}

QString Deployments::schedulerProblem() const {
    const auto place = deploymentPointer(m_session.document().json(), name().toStdString());
    const QString pointer = place ? QString::fromStdString((*place / "scheduler").to_string()) : QString();
    for (const Problem& problem : m_session.problemModel().problems())
        if (place && problem.pointer == pointer) return problem.message;
    return {};
}

void Deployments::listSchedulers() {
    std::vector<SchedulerRow> schedulers;
    std::optional<std::string> group;
    for (const SchedulerType& type : m_session.scene().catalog().schedulers()) {
        const auto refused = m_refused.find(type.id);
        const bool isFirst = group != type.runtime;
        group = type.runtime;
        schedulers.push_back({QString::fromStdString(type.id), QString::fromStdString(type.title),
                              QString::fromStdString(type.documentation),
                              QString::fromStdString(refused == m_refused.end() ? type.lacks : refused->second),
                              !isFirst               ? QString()
                              : type.runtime.empty() ? tr("Weir")
                                                     : QString::fromStdString(type.runtime)});
    }
    m_schedulers.setRows(std::move(schedulers));
}

QString Deployments::schedulerTitle() const {
    const SchedulerType* type = m_session.scene().catalog().scheduler(scheduler().toStdString());
    return type ? QString::fromStdString(type->title) : scheduler();
}

QString Deployments::schedulerDocumentation() const {
    const SchedulerType* type = m_session.scene().catalog().scheduler(scheduler().toStdString());
    return type ? QString::fromStdString(type->documentation) : QString();
}

int Deployments::problemCount() const {
    int count = 0;
    for (const ParameterModel* model :
         {&m_schedulerParameters, &m_privileges, &m_machine, &m_build, &m_volk, &m_run, &m_trace})
        count += static_cast<int>(std::count_if(model->rows().begin(), model->rows().end(),
                                                [](const auto& row) { return !row.problem.isEmpty(); }));
    return count;
}

void Deployments::setPanelOpen(bool open) {
    if (m_panelOpen == open) return;
    m_panelOpen = open;
    emit panelChanged();
}

void Deployments::setPanelTab(int tab) {
    if (m_panelTab == tab) return;
    m_panelTab = tab;
    emit panelChanged();
}

void Deployments::enterPanel() {
    setPanelOpen(true);
    if (m_panelTab == Scheduler && (m_fields.focusFirst(m_schedulerParameters) || m_fields.focusFirst(m_privileges)))
        return;
    if (m_panelTab == Build && m_fields.focusFirst(m_build)) return;
    if (m_panelTab == Machine && m_fields.focusFirst(m_machine)) return;
    setPanelTab(Run); // this tab has fields without a deployment, too
    m_fields.focusFirst(m_run);
}

void Deployments::choose(const QString& name) {
    m_session.setDeploymentIndex(static_cast<int>(m_session.deployments().indexOf(name)));
}

void Deployments::add() {
    const Catalog& catalog = m_session.scene().catalog();
    std::string scheduler = catalog.schedulers().empty() ? kOwnDeployment : catalog.schedulers().front().id;
    // Other schedulers cannot run GNU Radio's blocks.
    if (m_session.isHosted() && exists()) scheduler = this->scheduler().toStdString();
    // Keep the implicit deployment beside the new one.
    make(scheduler, true);
    emit renameRequested();
}

/// Add a deployment named after its scheduler. If the project had none, also add the implicit one, so that it can run
/// again.
void Deployments::make(const std::string& scheduler, bool keepOwn) {
    const QString own = QLatin1String(kOwnDeployment);
    const bool isFirst = m_session.deployments().isEmpty();
    const bool ran = isFirst && (!newestRun(own).isEmpty() || m_runner.runs(own));
    const bool withOwn = isFirst && (keepOwn || (ran && scheduler != kOwnDeployment));
    QString fresh;
    if (!m_session.edit(tr("Add a deployment for %1").arg(QString::fromStdString(scheduler)), [&](Transaction& t) {
            if (withOwn) addDeployment(t, kOwnDeployment, kOwnDeployment);
            const std::string called = freeDeploymentName(t.json(), scheduler);
            addDeployment(t, called, scheduler);
            fresh = QString::fromStdString(called);
        }))
        return;
    choose(fresh);
    beFresh(fresh);
    if (ran && fresh == own) m_runBefore.clear(); // the new deployment is the one that ran
}

void Deployments::beFresh(const QString& deployment) {
    m_fresh = deployment;
    m_runBefore = newestRun(deployment);
}

/// Return the newest measured run; empty: none.
QString Deployments::newestRun(const QString& deployment) const {
    const RunRow* run = m_runs.newestOf(deployment);
    // The list gets a new run shortly after it has ended. Names of runs begin with their time, so the greater is newer.
    return std::max(run ? run->id : QString(), m_runner.lastRun(deployment));
}

void Deployments::duplicate() {
    const std::string original = exists() ? name().toStdString() : kOwnDeployment;
    std::string copy;
    if (m_session.edit(tr("Duplicate deployment %1").arg(QString::fromStdString(original)), [&](Transaction& t) {
            if (!exists()) addDeployment(t, kOwnDeployment, kOwnDeployment);
            copy = freeDeploymentName(t.json(), original);
            duplicateDeployment(t, original, copy);
        }))
        choose(QString::fromStdString(copy));
}

void Deployments::remove() {
    const QString removed = name();
    if (exists() && m_session.edit(tr("Delete deployment %1").arg(removed),
                                   [&](Transaction& t) { removeDeployment(t, removed.toStdString()); }))
        m_session.setNotice(tr("Deployment %1 was deleted. Undo restores it.").arg(removed), true);
}

bool Deployments::rename(const QString& name) {
    const bool isWritten = exists();  // otherwise the implicit deployment runs, under its own name
    const QString from = isWritten ? this->name() : QLatin1String(kOwnDeployment);
    const QString to = name.trimmed();
    if (from == to) return true;
    if (!isValidLabel(to.toStdString())) {
        m_session.setNotice(tr("\"%1\" is not a name: use a-z, 0-9, _ and -").arg(name));
        return false;
    }
    if (deploymentPointer(m_session.document().json(), to.toStdString())) {
        m_session.setNotice(tr("A deployment named %1 already exists").arg(to));
        return false;
    }
    return m_session.edit(tr("Rename deployment %1 to %2").arg(from, to), [&](Transaction& t) {
        if (isWritten) renameDeployment(t, from.toStdString(), to.toStdString());
        else addDeployment(t, to.toStdString(), kOwnDeployment);
    });
}

void Deployments::chooseScheduler(const QString& scheduler) {
    if (!exists()) return make(scheduler.toStdString(), false);
    const Catalog& catalog = m_session.scene().catalog();
    const SchedulerType* type = catalog.scheduler(scheduler.toStdString());
    if (!type || scheduler == this->scheduler()) return;
    const SchedulerType* before = catalog.scheduler(this->scheduler().toStdString());
    const QString deployment = name();
    if (deployment != m_fresh) {
        m_session.edit(tr("Choose scheduler %1 for %2").arg(scheduler, deployment), [&](Transaction& t) {
            weir::editor::chooseScheduler(t, deployment.toStdString(), *type, before);
        });
        return;
    }
    // A new deployment that the user has not renamed keeps the name of its scheduler.
    const std::string called = freeDeploymentName(m_session.document().json(), type->id);
    const QString fresh = QString::fromStdString(called);
    const bool wasRun = newestRun(deployment) != m_runBefore || m_runner.runs(deployment);
    const QString label = wasRun
                              ? tr("Add deployment %1").arg(fresh)
                              : tr("Choose scheduler %1: deployment %2 becomes %3").arg(scheduler, deployment, fresh);
    if (!m_session.edit(label, [&](Transaction& t) {
            if (wasRun) duplicateDeployment(t, deployment.toStdString(), called);
            else renameDeployment(t, deployment.toStdString(), called);
            weir::editor::chooseScheduler(t, called, *type, before);
        }))
        return;
    choose(fresh);
    beFresh(fresh);
    if (wasRun)
        m_session.setNotice(tr("Deployment %1 was added. %2 has runs and stays unchanged.").arg(fresh, deployment),
                            true);
}

void Deployments::commitScheduling(int row, const QString& typed) {
    const bool isFirst = !exists();
    m_fields.commit(&m_scheduling, row, typed, [isFirst](Transaction& t) {
        if (isFirst)  // the implicit deployment, now written to the file
            addDeployment(t, kOwnDeployment, kOwnDeployment);
    });
}

void Deployments::show(const QString& deployment, const QString& field) {
    choose(deployment);
    setPanelTab(m_build.indexOf(field) >= 0 || m_volk.indexOf(field) >= 0 ? Build
                : m_machine.indexOf(field) >= 0                           ? Machine
                                                                          : Scheduler);
    setPanelOpen(m_scheduling.indexOf(field) < 0);
    for (ParameterModel* model : {&m_scheduling, &m_schedulerParameters, &m_privileges, &m_machine, &m_build, &m_volk})
        m_fields.focus(*model, field);
}

QString Deployments::runValue(const QString& field) const {
    for (const ParameterModel* model : {&m_run, &m_trace})
        if (const int row = model->indexOf(field); row >= 0) {
            const ParameterRow& found = model->rows()[static_cast<std::size_t>(row)];
            return found.set ? found.shown : found.placeholder;
        }
    return {};
}

void Deployments::showRun(const QString& field) {
    setPanelTab(Run);
    setPanelOpen(true);
    m_fields.focus(m_run, field);
    m_fields.focus(m_trace, field);
}

}  // namespace weir::editor
