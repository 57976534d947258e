// Edits of the document by drags, menus and the strategy chooser.

#include "features/mapping/mapping_controller.h"

#include "core/edits/project_edits.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

DropTarget targetFrom(const QString& kind, const QString& worker, int cpu) {
    if (kind == QLatin1String("worker")) return {DropTarget::Kind::Worker, worker, -1};
    if (kind == QLatin1String("cpu")) return {DropTarget::Kind::Cpu, {}, cpu};
    return {kind == QLatin1String("new") ? DropTarget::Kind::NewWorker : DropTarget::Kind::AnyCpu, {}, -1};
}

} // namespace

MappingChange MappingController::changeFor(const DropTarget& target, const QString& worker) const {
    if (!plan()) return {{}, tr("No plan to change: %1").arg(failure())};
    MappingChange change =
        worker.isEmpty() ? movedTo(*plan(), scheduler(), m_selection, target) : workerMovedTo(*plan(), worker, target);
    if (m_session.deployments().isEmpty()) change.problem = tr("The project has no deployment: add one first");
    else if (!preview().isEmpty()) change.problem = tr("This is a preview: apply or discard it first");
    else if (!m_pending && !m_planner.isUpToDate()) change.problem = tr("Planning: try again in a moment");
    return change;
}

QString MappingController::nameOf(const DropTarget& target, const QString& worker) const {
    const QString what = !worker.isEmpty() ? worker : selectionText();
    switch (target.kind) {
        case DropTarget::Kind::Worker: return tr("Map %1 to %2").arg(what, target.worker);
        case DropTarget::Kind::Cpu: return tr("Map %1 to CPU %2").arg(what).arg(target.cpu);
        case DropTarget::Kind::NewWorker: return tr("Map %1 to a new worker").arg(what);
        default: return tr("Unpin %1").arg(what);
    }
}

bool MappingController::drop(const DropTarget& target, const QString& worker) {
    if (target.kind == DropTarget::Kind::None || (worker.isEmpty() && m_selection.isEmpty())) return false;
    const MappingChange change = changeFor(target, worker);
    if (!change.problem.isEmpty()) {
        m_session.setNotice(change.problem);
        return false;
    }
    const PlanView before = *plan();
    const auto deployment = deploymentPointer(m_session.document().json(), m_session.deployment().toStdString());
    if (!deployment || change.mapping == mappingOf(before)) return false;
    const SchedulerType type = scheduler();
    if (!m_session.edit(nameOf(target, worker),
                        [&](Transaction& t) { writeMapping(t, *deployment, before, type, change.mapping); }))
        return false;
    m_pending = withMapping(before, type, change.mapping);
    if (type.placement) {
        // The user chooses the number of workers: an emptied one is kept for other blocks.
        for (PlannedWorker& worker : emptiedWorkers(before, *m_pending))
            if (std::none_of(m_idle.begin(), m_idle.end(), [&](const auto& idle) { return idle.name == worker.name; }))
                m_idle.push_back(std::move(worker));
        m_idleOf = m_session.deployment();
        m_pending = withIdle(*m_pending, m_idle);
    }
    rebuild();
    return true;
}

/// Keep the workers that drags emptied, until the mapping changes in another way.
void MappingController::keepIdle() {
    m_withIdle.reset();
    const auto& answer = m_planner.answer().plan;
    if (m_idle.empty() || !answer || !preview().isEmpty()) return;
    if (answer->deployment != m_idleOf || answer->strategy != QLatin1String("explicit")) m_idle.clear();
    else m_withIdle = withIdle(*answer, m_idle);
}

void MappingController::removeWorker(const QString& worker) {
    std::erase_if(m_idle, [&](const PlannedWorker& idle) { return idle.name == worker; });
    m_pending.reset();
    keepIdle();
    rebuild();
}

bool MappingController::moveSelection(const QString& kind, const QString& worker, int cpu) {
    if (kind == QLatin1String("settings")) {
        openWorker(m_movedWorker);
        return false;
    }
    return drop(targetFrom(kind, worker, cpu), m_movedWorker);
}

void MappingController::previewStrategy(const QString& strategy) {
    if (strategy == this->strategy()) m_planner.setPreview({});
    else if (strategy == QLatin1String("explicit")) keepAsExplicit();
    else m_planner.setPreview(strategy);
}

/// Start explicit placement with the plan's map; without a map it would place nothing.
void MappingController::keepAsExplicit() {
    const auto deployment = deploymentPointer(m_session.document().json(), m_session.deployment().toStdString());
    if (!deployment || !plan()) return;
    const PlanView shown = *plan();
    m_session.edit(tr("Place blocks: explicit"),
                   [&](Transaction& t) { writeExplicit(t, *deployment, shown, mappingOf(shown)); });
    m_planner.setPreview({});
}

void MappingController::applyPreview() {
    const QString wanted = preview();
    const auto deployment = deploymentPointer(m_session.document().json(), m_session.deployment().toStdString());
    if (wanted.isEmpty() || !deployment) return;
    m_planner.setPreview({});
    m_session.edit(tr("Place blocks: %1").arg(wanted),
                   [&](Transaction& t) { writeStrategy(t, *deployment, wanted.toStdString()); });
}

void MappingController::registerActions() {
    Actions& actions = m_session.actions();
    const auto add = [&actions](const char* id, const QString& title, const QStringList& shortcuts,
                                std::function<bool()> enabled, std::function<void()> run,
                                std::function<bool()> checked = {}) {
        actions.add({.id = QLatin1String(id),
                     .group = ActionGroup::Mapping,
                     .title = title,
                     .shortcuts = shortcuts,
                     .enabled = std::move(enabled),
                     .run = std::move(run),
                     .checked = std::move(checked)});
    };
    add("mapping.map_to", tr("Map or pin the selected blocks to…"), {QStringLiteral("Ctrl+M")},
        [this] { return !m_session.selection().blocks().isEmpty() || !selection().isEmpty(); }, {});
    add(
        "mapping.colour_by_worker", tr("Colour blocks by worker"), {QStringLiteral("Ctrl+Alt+M")}, {},
        [this] { setColourByWorker(!isColourByWorker()); }, [this] { return isColourByWorker(); });
    add(
        "mapping.unfold", tr("Show copies one by one"), {}, [this] { return hasCopies(); },
        [this] { setUnfolded(!isUnfolded()); }, [this] { return isUnfolded(); });
    add(
        "mapping.only_used", tr("Hide CPUs without a worker"), {}, {}, [this] { setOnlyUsed(!isOnlyUsed()); },
        [this] { return isOnlyUsed(); });
    add("mapping.load_machine", tr("Plan for a machine file…"), {}, {}, {});
    add(
        "mapping.this_machine", tr("Plan for this machine"), {}, [this] { return !machineFile().isEmpty(); },
        [this] { thisMachine(); });
    add(
        "mapping.apply_preview", tr("Apply the placement shown"), {}, [this] { return !preview().isEmpty(); },
        [this] { applyPreview(); });
}

} // namespace weir::editor
