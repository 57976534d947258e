#pragma once

#include "core/deployment/plan_view.h"
#include "core/json/json.h"

#include <QObject>

#include <vector>

namespace weir::editor {

/// One thing that a deployment asks for, what the planner made of it, and what the last run was granted.
struct MappedValue {
    Q_GADGET
    Q_PROPERTY(QString subject MEMBER subject)
    Q_PROPERTY(QString what MEMBER what)
    Q_PROPERTY(QString requested MEMBER requested)
    Q_PROPERTY(QString planned MEMBER planned)
    Q_PROPERTY(QString granted MEMBER granted)
    Q_PROPERTY(QString verdict MEMBER verdict)
    Q_PROPERTY(bool wrong MEMBER wrong)

  public:
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

}  // namespace weir::editor
