#pragma once

#include "core/deployment/plan_view.h"
#include "core/json/json.h"

#include <QAbstractListModel>

#include <vector>

namespace weir::editor {

/// One thing that a deployment asks for, what the planner made of it, and what the last run was granted.
struct MappedValue {
    QString subject = {}; ///< "w0", "source.out", "memory"
    QString what = {};    ///< "CPU", "buffer", "priority", "lock"
    QString requested = {};
    QString planned = {};
    QString granted = {}; ///< empty before a run
    QString verdict = {}; ///< the word for a difference; empty where there is none
    bool wrong = false;

    bool operator==(const MappedValue&) const = default;
};

/// `result`: of the last run of this deployment, or null. What a run of an earlier version was granted is shown, and is
/// no answer to what is asked for now.
std::vector<MappedValue> mappedValues(const PlanView& plan, const Json* result, bool isEarlier = false);

class ValueModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role {
        SubjectRole = Qt::UserRole + 1,
        WhatRole,
        RequestedRole,
        PlannedRole,
        GrantedRole,
        VerdictRole,
        WrongRole
    };

    explicit ValueModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setValues(std::vector<MappedValue> values);
    int differences() const;

  private:
    std::vector<MappedValue> m_values = {};
};

}  // namespace weir::editor
