#include "results_model.h"

#include "run_record.h"
#include "ticks.h"
#include "value_text.h"

#include <QLocale>

namespace weir::editor {
namespace {

QString nanoseconds(const Json *value)
{
    return value && value->is_number() ? siText(value->get<double>() * 1e-9, QStringLiteral("s")) : kNotMeasured;
}

QString count(const Json *value)
{
    return value && value->is_number() ? QLocale::c().toString(value->get<double>(), 'f', 0) : kNotMeasured;
}

QString throughput(const Json &result)
{
    const Json *value = member(result, "throughput_items_per_s");
    return value && value->is_number() ? siText(value->get<double>(), QStringLiteral("items/s")) : kNotMeasured;
}

QString reasons(const Json &result)
{
    QStringList messages;
    for (const Json &reason : list(member(result, "reasons")))
        messages.append(string(reason, "message"));
    return messages.join(QStringLiteral("; "));
}

QVariant latency(const Json &pair, int role)
{
    switch (role) {
    case LatencyModel::CountRole:
        return count(member(pair, "count"));
    case LatencyModel::LostRole:
        return count(member(pair, "lost"));
    case LatencyModel::MeanRole:
        return nanoseconds(member(pair, "mean_ns"));
    case LatencyModel::P5Role:
        return nanoseconds(member(pair, "p5_ns"));
    case LatencyModel::P50Role:
        return nanoseconds(member(pair, "p50_ns"));
    case LatencyModel::P95Role:
        return nanoseconds(member(pair, "p95_ns"));
    case LatencyModel::P99Role:
        return nanoseconds(member(pair, "p99_ns"));
    case LatencyModel::P999Role:
        return nanoseconds(member(pair, "p999_ns"));
    case LatencyModel::MaximumRole:
        return nanoseconds(member(pair, "max_ns"));
    default:
        return {};
    }
}

} // namespace

ResultsModel::ResultsModel(QObject *parent) : QAbstractListModel(parent) {}

int ResultsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

QVariant ResultsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Run &run = m_runs[static_cast<std::size_t>(index.row())];
    const Json &pooled = object(member(run.result, "latency"));
    switch (role) {
    case Qt::DisplayRole:
    case RunIdRole:
        return string(run.result, "run_id");
    case TimeRole:
        return run.when.toString(QStringLiteral("HH:mm:ss"));
    case DeploymentRole:
        return string(run.result, "deployment");
    case SchedulerRole:
        return string(run.result, "scheduler");
    case StatusRole:
        return string(run.result, "status");
    case ReasonRole:
        return reasons(run.result);
    case ThroughputRole:
        return throughput(run.result);
    case P50Role:
        return latency(pooled, LatencyModel::P50Role);
    case P95Role:
        return latency(pooled, LatencyModel::P95Role);
    case P99Role:
        return latency(pooled, LatencyModel::P99Role);
    case P999Role:
        return latency(pooled, LatencyModel::P999Role);
    case MaximumRole:
        return latency(pooled, LatencyModel::MaximumRole);
    case CountRole:
        return latency(pooled, LatencyModel::CountRole);
    case TraceRole:
        return string(object(member(run.result, "trace")), "backend");
    case StaleRole:
        return run.fingerprint != m_fingerprint;
    default:
        return {};
    }
}

QHash<int, QByteArray> ResultsModel::roleNames() const
{
    return {{RunIdRole, "runId"},   {TimeRole, "time"},     {DeploymentRole, "deployment"}, {SchedulerRole, "scheduler"},
            {StatusRole, "status"}, {ReasonRole, "reason"}, {ThroughputRole, "throughput"}, {P50Role, "p50"},
            {P95Role, "p95"},       {P99Role, "p99"},       {P999Role, "p999"},             {MaximumRole, "maximum"},
            {CountRole, "pairs"},   {TraceRole, "trace"},   {StaleRole, "stale"}};
}

void ResultsModel::add(const Json &results, std::size_t fingerprint, const QDateTime &when)
{
    for (const Json &result : list(&results)) {
        beginInsertRows({}, 0, 0);
        m_runs.insert(m_runs.begin(), {result, fingerprint, when});
        endInsertRows();
    }
    emit countChanged();
}

void ResultsModel::clear()
{
    beginResetModel();
    m_runs.clear();
    endResetModel();
    emit countChanged();
}

void ResultsModel::setFingerprint(std::size_t fingerprint)
{
    if (m_fingerprint == fingerprint)
        return;
    m_fingerprint = fingerprint;
    if (!m_runs.empty())
        emit dataChanged(index(0), index(rowCount() - 1), {StaleRole});
}

const Json *ResultsModel::result(int row) const
{
    return row < 0 || row >= rowCount() ? nullptr : &m_runs[static_cast<std::size_t>(row)].result;
}

const Json *ResultsModel::latestOf(const QString &deployment) const
{
    for (const Run &run : m_runs)
        if (text(member(run.result, "deployment")) == deployment.toStdString())
            return &run.result;
    return nullptr;
}

LatencyModel::LatencyModel(QObject *parent) : QAbstractListModel(parent) {}

int LatencyModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant LatencyModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Json &pair = m_rows[static_cast<std::size_t>(index.row())];
    return role == NameRole || role == Qt::DisplayRole ? QVariant(pairName(pair)) : latency(pair, role);
}

QHash<int, QByteArray> LatencyModel::roleNames() const
{
    return {{NameRole, "name"}, {CountRole, "pairs"}, {LostRole, "lost"}, {MeanRole, "mean"},   {P5Role, "p5"},
            {P50Role, "p50"},   {P95Role, "p95"},     {P99Role, "p99"},   {P999Role, "p999"}, {MaximumRole, "maximum"}};
}

void LatencyModel::setResult(const Json *result)
{
    beginResetModel();
    m_rows.clear();
    if (result)
        for (const Json &pair : list(member(*result, "latency_pairs")))
            m_rows.push_back(pair);
    endResetModel();
}

} // namespace weir::editor
