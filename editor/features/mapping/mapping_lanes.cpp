// What the lanes show of the plan, and of that what is in sight.

#include "features/mapping/mapping_controller.h"

#include "core/document/project_places.h"
#include "shell/fields/schema_rows.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {

void MappingController::rebuildLanes() {
    const PlanAnswer& answer = m_planner.answer();
    static const PlanView nothing{};
    if (!answer.machine) {
        m_lanes.setLanes({});
        m_bars.setBars({});
        m_allParts.clear();
        showParts();
        m_wires.clear();
        return;
    }
    const PlanView& shown = plan() ? *plan() : nothing;
    m_threads = threadTexts(shown);
    QSet<QString> kept;
    for (const PlannedWorker& worker : m_idle)
        if (const PlannedWorker* now = shown.worker(worker.name); now && now->instances.isEmpty())
            kept.insert(worker.name);
    const std::vector<Lane> lanes =
        layOutLanes({*answer.machine, shown, m_pending && answer.plan ? &*answer.plan : nullptr, scheduler(),
                     m_measured, answer.problems, m_options, kept, m_threads});
    std::vector<ShownBar> bars = shownBars(lanes);
    m_wires = laneWires(bars, shown, *answer.machine);
    m_lanes.setLanes(lanes);
    m_bars.setBars(std::move(bars));
    m_allParts.clear();
    for (const Lane& lane : lanes)
        for (const LaneRow& row : lane.rows) m_allParts.insert(m_allParts.end(), row.parts.begin(), row.parts.end());
    showParts();
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

std::vector<ShownBar> MappingController::shownBars(const std::vector<Lane>& lanes) const {
    std::vector<ShownBar> bars;
    for (const Lane& lane : lanes)
        for (const LaneRow& row : lane.rows)
            for (const LaneBar& bar : row.bars) {
                const BlockView* block = m_session.scene().block(bar.block);
                bars.push_back({bar, block ? block->type : QString(), block ? block->category : QString(),
                                row.worker.isEmpty() ? row.label : row.worker, row.colour});
            }
    return bars;
}

void MappingController::setRegion(const LaneRegion& region) {
    m_lanes.setRegion(region);
    m_bars.setRegion(region);
    if (m_region == region) return;
    m_region = region;
    showParts();
}

void MappingController::showParts() {
    std::vector<LanePart> shown;
    for (LanePart part : m_allParts)
        if (m_region.touches(part.rect)) {
            part.selected = std::any_of(part.instances.begin(), part.instances.end(),
                                        [this](const QString& instance) { return m_selection.contains(instance); });
            shown.push_back(std::move(part));
        }
    m_parts.setRows(std::move(shown));
}

} // namespace weir::editor
