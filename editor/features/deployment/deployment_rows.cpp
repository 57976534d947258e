#include "features/deployment/deployment_rows.h"
#include "core/deployment/deployment_edits.h"
#include "core/deployment/mapping_edits.h"
#include "core/document/project_places.h"
#include "core/edits/project_edits.h"
#include "shell/fields/row_builder.h"
#include "shell/fields/schema_rows.h"

namespace weir::editor {
namespace {

using Rows = std::vector<ParameterRow>;

const SchedulerType* schedulerAt(const Json& project, const Catalog& catalog, const Pointer& deployment) {
    return catalog.scheduler(text(find(project, deployment / "scheduler")));
}

/// Limit the choice to the targets that can run the deployment's scheduler.
void showTargets(ParameterRow& row, const Catalog& catalog, const SchedulerType* scheduler) {
    QStringList targets = scheduler ? qtList(scheduler->targets) : QStringList();
    row.placeholder = targets.value(0, qt(text(find(catalog.defaults(), Pointer("/deployment/target")))));
    if (targets.isEmpty())
        for (const TargetType& target : catalog.targets()) targets.append(qt(target.id));
    const TargetType* chosen = catalog.target((row.set ? row.value : row.placeholder).toStdString());
    if (chosen) row.documentation += QStringLiteral("\n%1: %2").arg(qt(chosen->title), qt(chosen->documentation));
    row = asChoice(row, targets);
}

/// Return the number of workers if the deployment gives none: that of its own placement.
QString workersByDefault(const Json& project, const Pointer& deployment, const QString& automatic) {
    const std::size_t named =
        strategyOf(project, deployment) == "explicit" ? workersOfMap(project, deployment).size() : 0;
    return named > 0 ? QString::number(named) : automatic;
}

} // namespace

Rows schedulingRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    // A project without a deployment runs with its own settings.
    const auto place = list(find(project, Pointer("/deployments"))).empty()
                           ? Pointer("/deployments/0")
                           : deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    const SchedulerType* scheduler =
        find(project, *place) ? schedulerAt(project, catalog, *place) : catalog.scheduler(kOwnDeployment);
    Rows rows = formRows(project, *place, "scheduling");
    std::erase_if(rows, [scheduler](const ParameterRow& row) {
        return row.name == QLatin1String("workers") && scheduler && scheduler->workers == "one" && !row.set;
    });
    for (ParameterRow& row : rows)
        if (row.name == QLatin1String("workers")) {
            row.placeholder = workersByDefault(project, *place, row.placeholder);
        } else if (row.name == QLatin1String("wait")) {
            row = asChoice(row, scheduler ? qtList(scheduler->waitPolicies) : QStringList());
            row.placeholder = row.options.value(0);
        }
    return rows;
}

Rows schedulerParameterRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    Rows rows;
    if (const SchedulerType* scheduler = schedulerAt(project, catalog, *place))
        for (const ParameterType& parameter : scheduler->parameters)
            rows.push_back(describedRow(project, *place / "parameters" / parameter.id, parameter));
    addUnknown(rows, project, *place / "parameters");
    return rows;
}

Rows privilegeRows(const Json& project, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    Rows rows = formRows(project, *place, "threads");
    const Rows others = formRows(project, *place, "privileges");
    rows.insert(rows.end(), others.begin(), others.end());
    return rows;
}

Rows machineRows(const Json& project, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    return place ? formRows(project, *place, "machine") : Rows();
}

Rows buildRows(const Json& project, const Catalog& catalog, const QString& deployment) {
    const auto place = deploymentPointer(project, deployment.toStdString());
    if (!place) return {};
    Rows rows = formRows(project, *place, "build");
    for (ParameterRow& row : rows)
        if (row.name == QLatin1String("target")) showTargets(row, catalog, schedulerAt(project, catalog, *place));
    return rows;
}

Rows runRows(const Json& project) { return formRows(project, kRun, "run"); }

Rows traceRows(const Json& project) { return formRows(project, kRun, "trace"); }

} // namespace weir::editor
