#pragma once

#include "core/deployment/plan_view.h"
#include "core/json/json.h"

#include <QObject>

#include <vector>

namespace weir::editor {

/// Value that a deployment requests, with the planned value and the one granted in the last run.
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
    QString verdict = {}; ///< names the difference; empty if there is none
    bool wrong = false;

    bool operator==(const MappedValue&) const = default;
};

/// Return the CPUs that a run granted to a worker; empty if unknown.
QString grantedCpus(const Json* result, const QString& worker);
/// Return the values. `result`: of the last run of this deployment, or null. If that run used an earlier version, its
/// granted values are shown, but not compared with the present request.
std::vector<MappedValue> mappedValues(const PlanView& plan, const Json* result, bool isEarlier = false);

}  // namespace weir::editor
