#pragma once

#include "json.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QString>

#include <vector>

namespace weir::editor {

/// The results that runs of this session returned, the newest first.
class ResultsModel : public QAbstractListModel
{
    Q_OBJECT
    Q_PROPERTY(int count READ rowCount NOTIFY countChanged)

public:
    enum Role {
        RunIdRole = Qt::UserRole + 1,
        TimeRole,
        DeploymentRole,
        SchedulerRole,
        StatusRole,
        ReasonRole,
        ThroughputRole,
        P50Role,
        P95Role,
        P99Role,
        P999Role,
        MaximumRole,
        CountRole,
        TraceRole,
        StaleRole,
    };

    explicit ResultsModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// `results`: an array of results objects, as `weir run --json` prints; `fingerprint`: of the project that ran.
    void add(const Json &results, std::size_t fingerprint, const QDateTime &when);
    void clear();
    /// Results of other states of the project than the present one are shown as stale.
    void setFingerprint(std::size_t fingerprint);
    const Json *result(int row) const;
    /// The newest of this deployment, or null.
    const Json *latestOf(const QString &deployment) const;

signals:
    void countChanged();

private:
    struct Run
    {
        Json result;
        std::size_t fingerprint = 0;
        QDateTime when;
    };

    std::vector<Run> m_runs;
    std::size_t m_fingerprint = 0;
};

/// The latency pairs of one result, one row each.
class LatencyModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { NameRole = Qt::UserRole + 1, CountRole, LostRole, MeanRole, P5Role, P50Role, P95Role, P99Role, P999Role, MaximumRole };

    explicit LatencyModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setResult(const Json *result);

private:
    std::vector<Json> m_rows;
};

} // namespace weir::editor
