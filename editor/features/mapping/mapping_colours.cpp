// Blocks in the colours of their workers, as the canvas has them.

#include "features/mapping/mapping_controller.h"

#include "shell/session/session.h"

namespace weir::editor {

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
        // Threads of their own are named after their block: the name would be there twice.
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
