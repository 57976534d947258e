#include "features/mapping/mapping_controller.h"

#include "core/edits/project_edits.h"
#include "features/runs/deployment_run.h"
#include "shell/fields/row_marks.h"
#include "shell/fields/schema_rows.h"
#include "shell/session/session.h"

#include <QFileInfo>

#include <algorithm>

namespace weir::editor {

MappingController::MappingController(Session& session, DeploymentRun& shown, QObject* parent)
    : QObject(parent), m_session(session), m_role(session.blockModel().addRole("workers")), m_shown(shown),
      m_planner(session.command(), session.document()) {
    // Update the lists before the views that handle the same signal.
    connect(this, &MappingController::changed, this, &MappingController::listTargets);
    connect(this, &MappingController::coloursChanged, this, &MappingController::listWorkers);
    listStrategies();
    connect(&m_planner, &Planner::answered, this, [this] {
        m_pending.reset();
        m_isAnswerOfOther = false;
        keepIdle();
        rebuild();
    });
    connect(&m_planner, &Planner::outdated, this, [this] {
        m_pending.reset();
        emit changed();
    });
    connect(&session, &Session::deploymentsChanged, this, &MappingController::follow);
    connect(&session, &Session::problemsChanged, this, &MappingController::showWorker);
    connect(&session.document(), &Document::replaced, this, [this] {
        m_idle.clear();
        m_withIdle.reset();
        m_isAnswerOfOther = true;
        emit changed();
    });
    connect(&session, &Session::catalogChanged, this, &MappingController::rebuild);
    connect(&session.selection(), &Selection::changed, this, [this] {
        if (!m_selecting) followSelection();
    });
    connect(&shown, &DeploymentRun::changed, this, [this] {
        if (m_coloursUntilRun && m_shown.path() != m_runBefore) setColourByWorker(false);
        rebuild();
    });
    registerActions();
}

void MappingController::followSelection() {
    QSet<QString> instances;
    for (const QString& block : m_session.selection().blocks())
        if (plan())
            for (const QString& name : plan()->instancesOf(block)) instances.insert(name);
    setSelection(instances);
}

const PlanView* MappingController::plan() const {
    if (m_pending) return &*m_pending;
    if (m_withIdle) return &*m_withIdle;
    return m_planner.answer().plan ? &*m_planner.answer().plan : nullptr;
}

const SchedulerType& MappingController::scheduler() const {
    static const SchedulerType unknown{};
    const SchedulerType* found =
        plan() ? m_session.scene().catalog().scheduler(plan()->scheduler.toStdString()) : nullptr;
    return found ? *found : unknown;
}

void MappingController::setActive(bool active) {
    if (m_active == active) return;
    m_active = active;
    updateActivity();
    emit activeChanged();
}

void MappingController::setColourByWorker(bool on) {
    m_coloursUntilRun = false;
    if (m_colourByWorker == on) return;
    m_colourByWorker = on;
    updateActivity();
    showColours();
}

void MappingController::colourForMove() {
    if (m_colourByWorker) return;
    setColourByWorker(true);
    m_coloursUntilRun = true;
    m_runBefore = m_shown.path();
}

void MappingController::setWatched(bool watched) {
    if (m_watched == watched) return;
    m_watched = watched;
    updateActivity();
}

void MappingController::updateActivity() {
    m_planner.setDeployment(m_session.deployment());
    m_planner.setActive(m_active || m_colourByWorker || m_watched);
    emit changed();
}

void MappingController::follow() {
    m_planner.setDeployment(m_session.deployment());
    showWorker();
    if (m_active && plan() && threadTexts(*plan()) != m_threads) rebuildLanes(); // before the planner has answered
}

void MappingController::openWorker(const QString& worker) {
    if (m_session.deployments().isEmpty())
        return m_session.setNotice(tr("The project has no deployment: add one first"));
    m_session.setView(QStringLiteral("lanes"));
    m_openedWorker = worker;
    showWorker();
    emit workerOpened();
}

void MappingController::closeWorker() {
    m_openedWorker.clear();
    showWorker();
}

void MappingController::showWorker() {
    const Json& project = m_session.document().json();
    const auto deployment = deploymentPointer(project, m_session.deployment().toStdString());
    std::vector<ParameterRow> rows;
    if (deployment && !m_openedWorker.isEmpty())
        rows = threadRowsOf(project, *deployment, m_openedWorker.toStdString(), "worker");
    markProblems(rows, m_session.problemModel());
    m_workerFields.setRows(std::move(rows));
}

void MappingController::setUnfolded(bool on) {
    m_options.unfolded = on;
    rebuildLanes();
    emit changed();
}

void MappingController::setOnlyUsed(bool on) {
    m_options.onlyUsed = on;
    rebuildLanes();
    emit changed();
}

void MappingController::setWidth(qreal width) {
    if (m_options.width == width || width <= 0) return;
    m_options.width = width;
    rebuildLanes();
    emit changed();
}

void MappingController::rebuild() {
    const Json* result = m_shown.results();
    m_measured = plan() ? measuredLoad(result, plan()->deployment) : MeasuredLoad();
    rebuildLanes();
    m_values.setRows(plan() ? mappedValues(*plan(), result, m_shown.isStale()) : std::vector<MappedValue>());
    QSet<QString> left;
    for (const QString& instance : m_selection)
        if (plan() && plan()->instance(instance)) left.insert(instance);
    if (left.isEmpty()) followSelection();
    else setSelection(left);
    emit changed();
    showColours();
}

int MappingController::differences() const {
    return static_cast<int>(std::count_if(m_values.rows().begin(), m_values.rows().end(),
                                          [](const MappedValue& value) { return !value.verdict.isEmpty(); }));
}

bool MappingController::hasCopies() const {
    return plan() && std::any_of(plan()->instances.begin(), plan()->instances.end(),
                                 [](const PlannedInstance& i) { return i.copy >= 0 || i.pipe >= 0; });
}

QString MappingController::failure() const {
    return plan() || (m_isAnswerOfOther && !m_planner.isUpToDate()) ? QString() : m_planner.answer().whyNoPlan();
}

QString MappingController::hint() const {
    if (!plan()) return {};
    if (m_session.deployments().isEmpty())
        return tr(
            "The project has no deployment, so it runs on one worker with single_thread. Add a deployment "
            "(+) to map blocks.");
    const SchedulerType& type = scheduler();
    const QString title = QString::fromStdString(type.title);
    if (!type.jobs.empty())
        return type.jobs == "list"
                   ? tr("%1 decides at run time: any worker takes any list of blocks. Workers can be dragged to "
                        "CPUs; blocks cannot.")
                         .arg(title)
                   : tr("%1 decides at run time: any worker takes any block. Workers can be dragged to CPUs; blocks "
                        "cannot.")
                         .arg(title);
    if (type.workers == "one")
        return tr("%1 runs every block on one worker, which can be dragged to a CPU. Choose Flow to spread blocks "
                  "over workers.")
            .arg(title);
    if (type.workers == "per_block")
        return tr("%1 gives each block a worker of its own; drag blocks to CPUs to pin them.").arg(title);
    return {};
}

QString MappingController::machineName() const {
    const auto& machine = m_planner.answer().machine;
    return !machine ? QString() : machine->name.isEmpty() ? tr("unnamed machine") : machine->name;
}

QString MappingController::machineSummary() const {
    return m_planner.answer().machine ? m_planner.answer().machine->summary : QString();
}

QString MappingController::machineFile() const {
    return m_planner.machineFile().isEmpty() ? QString() : QFileInfo(m_planner.machineFile()).fileName();
}

QString MappingController::strategy() const {
    const Json& project = m_session.document().json();
    const auto deployment = deploymentPointer(project, m_session.deployment().toStdString());
    return deployment && scheduler().placement ? QString::fromStdString(strategyOf(project, *deployment)) : QString();
}

void MappingController::listStrategies() {
    m_strategies.setRows(
        {{QStringLiteral("contiguous"), tr("Contiguous"),
          tr("Neighbouring blocks stay together: each worker gets one contiguous piece of the chain")},
         {QStringLiteral("round_robin"), tr("Round robin"), tr("Blocks go to the workers in turn")},
         {QStringLiteral("per_pipe"), tr("Per pipe"), tr("Each pipe stays on one worker")},
         {QStringLiteral("single"), tr("Single"), tr("Everything on one worker")},
         {QStringLiteral("auto"), tr("Auto"),
          tr("Minimises the load of the busiest worker, given the costs of blocks and of streams between workers")},
         {QStringLiteral("explicit"), tr("Explicit"),
          tr("Each block stays where you put it; dragging a block chooses this")}});
}

bool MappingController::canPlace() const {
    return plan() && scheduler().placement && !m_session.deployments().isEmpty();
}

/// Return `w1 with its 3 blocks`.
QString MappingController::withBlocks(const PlannedWorker& worker) const {
    QSet<QString> blocks;
    for (const QString& name : worker.instances)
        if (const PlannedInstance* instance = plan()->instance(name)) blocks.insert(instance->block);
    return blocks.isEmpty() ? worker.name
                            : tr("%1 with its %n block(s)", nullptr, static_cast<int>(blocks.size())).arg(worker.name);
}

/// Return the title of a CPU as a target. Blocks stay on the chosen CPU: their worker is pinned there, with all its
/// other blocks.
QString MappingController::cpuTitle(int cpu, const QString& worker) const {
    if (!scheduler().placement || !worker.isEmpty()) return tr("CPU %1").arg(cpu);
    for (const PlannedWorker& there : plan()->workers)
        if (there.cpus == std::vector<int>{cpu}) return tr("CPU %1: pins %2").arg(cpu).arg(withBlocks(there));
    return tr("CPU %1, pinned, a worker of its own").arg(cpu);
}

void MappingController::setMovedWorker(const QString& worker) {
    if (m_movedWorker == worker) return;
    m_movedWorker = worker;
    emit changed();
}

QString MappingController::movedText() const {
    const PlannedWorker* worker = plan() ? plan()->worker(m_movedWorker) : nullptr;
    return worker ? withBlocks(*worker) : QString();
}

void MappingController::listTargets() {
    std::vector<MoveTarget> targets;
    const bool isWorker = !movedText().isEmpty();
    if (plan() && (isWorker || scheduler().jobs.empty())) {
        if (scheduler().placement && !isWorker) {
            for (const PlannedWorker& worker : plan()->workers)
                targets.push_back({worker.cpus.size() == 1
                                       ? tr("worker %1 (on CPU %2)").arg(worker.name).arg(worker.cpus.front())
                                       : tr("worker %1").arg(worker.name),
                                   QStringLiteral("worker"), worker.name});
            targets.push_back({tr("a new worker"), QStringLiteral("new")});
        } else {
            targets.push_back({tr("Any CPU"), QStringLiteral("any")});
        }
        if (const auto& machine = m_planner.answer().machine)
            for (const MachineCpu& cpu : machine->cpus)
                if (cpu.allowed || cpu.isolated)
                    targets.push_back({cpuTitle(cpu.cpu, m_movedWorker), QStringLiteral("cpu"), {}, cpu.cpu});
        if (isWorker)
            targets.push_back({tr("Policy and priority of %1…").arg(m_movedWorker), QStringLiteral("settings")});
    }
    m_targets.setRows(std::move(targets));
}

QString MappingController::selectionText() const {
    return m_selection.size() == 1 ? *m_selection.constBegin()
           : m_selection.isEmpty() ? QString()
                                   : tr("%n instance(s)", nullptr, static_cast<int>(m_selection.size()));
}

void MappingController::setSelection(const QSet<QString>& instances) {
    if (m_selection == instances) return;
    m_selection = instances;
    markSelected();
    emit selectionChanged();
}

void MappingController::select(const QSet<QString>& instances) {
    setSelection(instances);
    QSet<QString> blocks;
    for (const QString& name : instances)
        if (const PlannedInstance* instance = plan() ? plan()->instance(name) : nullptr) blocks.insert(instance->block);
    // The canvas and the inspector follow the selection here.
    if (blocks != m_session.selection().blocks()) {
        m_selecting = true;
        m_session.selection().set(blocks);
        m_selecting = false;
    }
}

void MappingController::loadMachine(const QUrl& file) { m_planner.setMachineFile(file.toLocalFile()); }

void MappingController::thisMachine() { m_planner.setMachineFile({}); }

}  // namespace weir::editor
