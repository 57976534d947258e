#include "features/runs/run_groups.h"

#include "core/text/value_text.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {

RunGroups::RunGroups(RunListModel& runs, QObject* parent) : QSortFilterProxyModel(parent), m_runs(runs) {
    // Connected first: the groups must be ready before the rows are filtered.
    connect(&runs, &QAbstractItemModel::modelReset, this, &RunGroups::gather);
    connect(&runs, &QAbstractItemModel::rowsRemoved, this, &RunGroups::gather);
    setSourceModel(&runs);
    connect(&runs, &QAbstractItemModel::rowsRemoved, this, [this] {
        invalidateFilter();
        if (rowCount() > 0) // the group sizes and medians in the rows change
            emit dataChanged(index(0, 0), index(rowCount() - 1, 0));
    });
}

void RunGroups::gather() {
    m_groups.clear();
    for (int row = 0; row < m_runs.rowCount(); ++row)
        if (const RunRow& run = *m_runs.runAt(row); !run.set.isEmpty() && run.isReadable()) {
            Group& group = m_groups[run.group()];
            group.first = group.rows.isEmpty() ? row : group.first;
            group.rows.append(row);
        }
    m_groups.removeIf([](const auto& entry) { return entry.value().rows.size() < 2; });
}

const RunGroups::Group* RunGroups::groupOf(int row) const {
    const RunRow* run = m_runs.runAt(row);
    const auto place = run ? m_groups.constFind(run->group()) : m_groups.constEnd();
    return place == m_groups.constEnd() ? nullptr : &*place;
}

bool RunGroups::isClosed(int row) const {
    return groupOf(row) && m_runs.filter().isEmpty() && !m_open.contains(m_runs.runAt(row)->group());
}

bool RunGroups::filterAcceptsRow(int row, const QModelIndex&) const {
    return !isClosed(row) || groupOf(row)->first == row;
}

void RunGroups::toggle(const QString& group) {
    if (!m_groups.contains(group)) return;
    if (!m_open.remove(group)) m_open.insert(group);
    invalidateFilter();
    const QModelIndex head = mapFromSource(m_runs.index(m_groups[group].first));
    emit dataChanged(head, head);
}

int RunGroups::rowOf(int run) const {
    return mapFromSource(m_runs.index(isClosed(run) ? groupOf(run)->first : run)).row();
}

QStringList RunGroups::warningsOf(const Group& group) const {
    QStringList found;
    for (const int row : group.rows) found += m_runs.runAt(row)->warnings;
    found.removeDuplicates();
    const auto ok =
        std::count_if(group.rows.begin(), group.rows.end(), [this](int row) { return m_runs.runAt(row)->isOk(); });
    if (ok < group.rows.size()) found.prepend(tr("%1 of %2 runs count").arg(ok).arg(group.rows.size()));
    return found;
}

double RunGroups::medianOf(const Group& group, double RunRow::* value) const {
    std::vector<double> values;
    for (const int row : group.rows)
        if (const RunRow& run = *m_runs.runAt(row); run.isOk() && !std::isnan(run.*value)) values.push_back(run.*value);
    return weir::editor::medianOf(std::move(values));
}

RateChange RunGroups::changeOf(const Group& group) const {
    const auto oldest =
        std::find_if(group.rows.rbegin(), group.rows.rend(), [this](int row) { return m_runs.runAt(row)->isOk(); });
    return oldest == group.rows.rend()
               ? RateChange()
               : m_runs.change(*oldest, medianOf(group, &RunRow::throughput), static_cast<int>(group.rows.size()));
}

QVariant RunGroups::data(const QModelIndex& index, int role) const {
    const int row = mapToSource(index).row();
    const Group* group = groupOf(row);
    const bool closed = isClosed(row);
    const auto seconds = [&](double RunRow::* value) {
        const double median = medianOf(*group, value);
        return std::isnan(median) ? QStringLiteral("—") : siText(median * 1e-9, QStringLiteral("s"));
    };
    switch (role) {
        case MembersRole: return group ? static_cast<int>(group->rows.size()) : 1;
        case HeadRole: return group && group->first == row;
        case OpenRole: return group && !closed;
        case GroupRole: return group ? m_runs.runAt(row)->group() : QString();
        case RunListModel::ThroughputRole:
            return closed ? throughputText(medianOf(*group, &RunRow::throughput))
                          : QSortFilterProxyModel::data(index, role);
        case RunListModel::P50Role: return closed ? seconds(&RunRow::p50) : QSortFilterProxyModel::data(index, role);
        case RunListModel::P99Role: // if no run has one, the newest gives the reason
            return closed && !std::isnan(medianOf(*group, &RunRow::p99)) ? seconds(&RunRow::p99)
                                                                         : QSortFilterProxyModel::data(index, role);
        case RunListModel::LackingP99Role:
            return closed && !std::isnan(medianOf(*group, &RunRow::p99)) ? QString()
                                                                         : QSortFilterProxyModel::data(index, role);
        case RunListModel::WarningsRole: return closed ? warningsOf(*group) : QSortFilterProxyModel::data(index, role);
        case RunListModel::DeltaRole: return closed ? changeOf(*group).text : QSortFilterProxyModel::data(index, role);
        case RunListModel::ToneRole: return closed ? changeOf(*group).tone : QSortFilterProxyModel::data(index, role);
        case RunListModel::BesideRole:
            return closed ? changeOf(*group).beside : QSortFilterProxyModel::data(index, role);
        default: return QSortFilterProxyModel::data(index, role);
    }
}

QHash<int, QByteArray> RunGroups::roleNames() const {
    QHash<int, QByteArray> names = m_runs.roleNames();
    names.insert({{MembersRole, "members"}, {HeadRole, "head"}, {OpenRole, "open"}, {GroupRole, "group"}});
    return names;
}

} // namespace weir::editor
