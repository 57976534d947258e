// What a run and a plan say of the blocks, which are roles of their rows.

#include "block_model.h"

namespace weir::editor {

const QList<int>& BlockModel::loadRoles() {
    static const QList<int> roles{LoadedRole,    HeatRole,     LoadPillRole,  LoadBriefRole,
                                  LoadFactsRole, LoadHintRole, BottleneckRole};
    return roles;
}

const QList<int>& BlockModel::workerRoles() {
    static const QList<int> roles{WorkerRole, WorkerNamesRole, WorkerColoursRole};
    return roles;
}

QVariant BlockModel::roleOf(const Load& load, int role) {
    switch (role) {
        case HeatRole: return load.heat;
        case LoadPillRole: return load.pill;
        case LoadBriefRole: return load.brief;
        case LoadFactsRole: return load.facts;
        case LoadHintRole: return load.hint;
        default: return load.bottleneck;
    }
}

QVariant BlockModel::roleOf(const Worker& worker, int role) {
    return role == WorkerRole        ? QVariant(worker.label)
           : role == WorkerNamesRole ? QVariant(worker.names)
                                     : QVariant::fromValue(worker.colours);
}

/// Only blocks of which something else is to be shown are told of.
template <typename Of>
void BlockModel::replace(QHash<QString, Of>& held, const QHash<QString, Of>& given, const QList<int>& roles) {
    const QHash<QString, Of> before = std::exchange(held, given);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const QString& id = m_rows[row].block.id;
        const auto was = before.constFind(id), is = held.constFind(id);
        const bool had = was != before.constEnd(), has = is != held.constEnd();
        if (had != has || (has && *was != *is)) emit dataChanged(at(row), at(row), roles);
    }
}

void BlockModel::setLoads(const QHash<QString, Load>& loads) {
    if (m_loads == loads) return;
    replace(m_loads, loads, loadRoles());
    emit loadsChanged();
}

void BlockModel::setWorkers(const QHash<QString, Worker>& workers) { replace(m_workers, workers, workerRoles()); }

void BlockModel::setPreview(const std::optional<QHash<QString, Worker>>& preview) {
    QHash<QString, Worker> shown = workers();
    m_preview = preview;
    replace(shown, workers(), workerRoles());
}

} // namespace weir::editor
