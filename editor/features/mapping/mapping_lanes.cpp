// Lanes of the plan, and their visible part.

#include "features/mapping/mapping_controller.h"

#include "core/document/project_places.h"
#include "shell/fields/schema_rows.h"
#include "shell/session/session.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace weir::editor {

void MappingController::rebuildLanes() {
    const PlanAnswer& answer = m_planner.answer();
    static const PlanView nothing{};
    m_allLanes.clear();
    m_allBars.clear();
    m_allParts.clear();
    m_wires.clear();
    if (answer.machine) {
        const PlanView& shown = plan() ? *plan() : nothing;
        m_threads = threadTexts(shown);
        QSet<QString> kept;
        for (const PlannedWorker& worker : m_idle)
            if (const PlannedWorker* now = shown.worker(worker.name); now && now->instances.isEmpty())
                kept.insert(worker.name);
        m_allLanes = layOutLanes({*answer.machine, shown, m_pending && answer.plan ? &*answer.plan : nullptr,
                                  scheduler(), m_measured, answer.problems, m_options, kept, m_threads});
        for (const Lane& lane : m_allLanes)
            for (const LaneRow& row : lane.rows) {
                for (LaneBar bar : row.bars) {
                    const BlockView* block = m_session.scene().block(bar.block);
                    bar.type = block ? block->type : QString();
                    bar.category = block ? block->category : QString();
                    bar.worker = row.worker.isEmpty() ? row.label : row.worker;
                    bar.colour = row.colour;
                    m_allBars.push_back(std::move(bar));
                }
                m_allParts.insert(m_allParts.end(), row.parts.begin(), row.parts.end());
            }
        m_wires = laneWires(m_allBars, shown, *answer.machine);
    }
    markSelected();
}

QHash<QString, QStringList> MappingController::threadTexts(const PlanView& plan) const {
    QHash<QString, QStringList> texts;
    const Json& project = m_session.document().json();
    const auto deployment = deploymentPointer(project, plan.deployment.toStdString());
    if (!deployment || !find(project, *deployment / "threads")) return texts;
    for (const PlannedWorker& worker : plan.workers) {
        QStringList said{threadText(project, *deployment, worker.name.toStdString())};
        for (const QString& name : worker.instances)
            if (const PlannedInstance* instance = plan.instance(name))
                if (const QString text = threadText(project, *deployment, instance->block.toStdString());
                    !text.isEmpty())
                    said.append(instance->block == worker.name ? text : tr("%1, for %2").arg(text, instance->block));
        said.removeAll(QString());
        said.removeDuplicates();
        if (!said.isEmpty()) texts.insert(worker.name, said);
    }
    return texts;
}

void MappingController::setRegion(const LaneRegion& region) {
    if (m_region == region) return;
    m_region = region;
    showRegion();
}

void MappingController::markSelected() {
    const auto isSelected = [this](const QStringList& instances) {
        return std::any_of(instances.begin(), instances.end(),
                           [this](const QString& instance) { return m_selection.contains(instance); });
    };
    for (LaneBar& bar : m_allBars) bar.selected = !bar.ghost && isSelected(bar.instances);
    for (LanePart& part : m_allParts) part.selected = isSelected(part.instances);
    showRegion();
}

void MappingController::showRegion() {
    const auto show = [this](auto& model, const auto& all, double above) {
        std::decay_t<decltype(all)> shown;
        std::copy_if(all.begin(), all.end(), std::back_inserter(shown),
                     [&](const auto& row) { return m_region.touches(row.rect.adjusted(0, -above, 0, 0)); });
        model.setRows(std::move(shown));
    };
    show(m_lanes, m_allLanes, lanes::kHeading);
    show(m_bars, m_allBars, 0);
    show(m_parts, m_allParts, 0);
}

// Colours of workers for the blocks on the canvas.

QHash<QString, WorkerMark> MappingController::blockWorkers() const {
    QHash<QString, WorkerMark> found;
    if (!m_colourByWorker || !plan() || plan()->isDynamic()) return found;
    QHash<QString, int> numberOf;
    for (const PlannedWorker& worker : plan()->workers) numberOf.insert(worker.name, static_cast<int>(numberOf.size()));
    QHash<QString, QStringList> workersOf;
    for (const PlannedInstance& instance : plan()->instances)
        if (QStringList& workers = workersOf[instance.block]; !workers.contains(instance.worker))
            workers.append(instance.worker);
    for (auto it = workersOf.constBegin(); it != workersOf.constEnd(); ++it) {
        // A worker that serves one block is named after it: do not repeat the name.
        const QString first = it->constFirst() == it.key() ? tr("own") : it->constFirst();
        WorkerMark& worker = found[it.key()];
        worker = {it->size() == 1 ? first : tr("%n worker(s)", nullptr, static_cast<int>(it->size())),
                  it->join(QStringLiteral(", ")),
                  {}};
        for (const QString& name : *it) worker.colours.append(numberOf.value(name, 0));
    }
    return found;
}

QVariantMap MappingController::blockColours() const {
    QVariantMap found;
    const auto workers = blockWorkers();
    for (auto it = workers.constBegin(); it != workers.constEnd(); ++it)
        found.insert(it.key(), it->colours.constFirst());
    return found;
}

void MappingController::showColours() {
    m_session.blockModel().say(m_role, saidOf(blockWorkers()));
    emit coloursChanged();
}

void MappingController::listWorkers() {
    std::vector<WorkerColour> workers;
    if (m_colourByWorker && plan() && !plan()->isDynamic())
        for (const PlannedWorker& worker : plan()->workers)
            workers.push_back({worker.name, static_cast<int>(workers.size()), cpuList(worker.cpus)});
    m_workers.setRows(std::move(workers));
}

} // namespace weir::editor
