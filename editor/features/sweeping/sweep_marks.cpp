// Varied settings of a sweep, and their initial values.

#include "features/sweeping/sweep_design.h"

#include "core/deployment/deployment_edits.h"
#include "core/document/project_places.h"
#include "core/document/project_schema.h"
#include "core/document/sweep_axes.h"
#include "core/edits/sweep_names.h"
#include "core/sweeping/sweep_edits.h"
#include "core/sweeping/sweep_values.h"
#include "shell/fields/fields.h"
#include "shell/session/session.h"

#include <algorithm>

namespace weir::editor {
namespace {

/// Return the values that the schema proposes for a setting; null: none.
Json usualValues(const Json& project, const std::string& key) {
    const std::vector<Pointer> places = placesOfAxis(project, key, 0);
    return places.size() == 1 ? proposedAt(places.front()) : Json();
}

} // namespace

void SweepDesign::add() {
    const Json& project = m_session.document().json();
    const auto [axis, values] = firstAxis(project);
    const std::string name = freeSweepName(project, "sweep");
    if (!m_session.edit(tr("Add sweep %1").arg(QString::fromStdString(name)),
                        [&, axis = axis, values = values](Transaction& t) { addSweep(t, name, axis, values); }))
        return;
    choose(static_cast<int>(names().size()) - 1);
    m_session.setView(QStringLiteral("sweep"));
}

void SweepDesign::toggle(const std::string& key, const Json& values) {
    const QString title = axisTitle(m_session.document().json(), key);
    const bool varied = isVaried(key), first = names().isEmpty();
    const std::string name = first ? freeSweepName(m_session.document().json(), "sweep") : this->name().toStdString();
    const bool done =
        m_session.edit(varied ? tr("Stop varying %1").arg(title) : tr("Vary %1").arg(title), [&](Transaction& t) {
            if (varied) removeAxis(t, static_cast<std::size_t>(m_current), key);
            else if (first) addSweep(t, name, key, values);
            else setAxis(t, static_cast<std::size_t>(m_current), key, values);
        });
    if (!done || m_session.view() == QLatin1String("sweep")) return;
    const QString keys = m_session.actions().keys(QStringLiteral("view.sweep"));
    m_session.setNotice(
        varied ? tr("%1 is no longer varied").arg(title)
               : tr("%1 is varied in %2; %3 shows its values").arg(title, QString::fromStdString(name), keys),
        true);
}

void SweepDesign::toggleField(QAbstractItemModel* model, int row) {
    const auto* parameters = qobject_cast<ParameterModel*>(model);
    if (!parameters || row < 0 || row >= parameters->rowCount()) return;
    const ParameterRow& field = parameters->rows()[static_cast<std::size_t>(row)];
    const Json& project = m_session.document().json();
    // A case sets several fields. The mark of each stops the whole axis.
    for (const SweepAxisRow& axis : m_axes.rows()) {
        const std::vector<Pointer> places = placesOf(axis);
        if (std::find(places.begin(), places.end(), field.pointer) != places.end())
            return toggle(axis.key.toStdString(), {});
    }
    const std::string key = axisKeyOf(project, field.pointer);
    if (key.empty()) return;
    const Json* value = find(project, field.pointer);
    Json values = Json::array();
    if (field.widget == QLatin1String("choice")) {
        for (int option = 0; option < field.options.size(); ++option)
            if (field.refused.value(option).isEmpty()) values.push_back(field.options[option].toStdString());
    } else if (field.widget == QLatin1String("switch")) {
        values = {false, true};
    } else if (const Json known = usualValues(project, key); !known.is_null() && (!value || !value->is_number())) {
        values = known;
    } else {
        const auto limit = [](std::optional<double> of) { return of ? Json(*of) : Json(); };
        const auto typed = axisValues(field.placeholder, false);
        const Json* usual = std::get_if<Json>(&typed);
        const Json one = value ? *value : usual && usual->size() == 1 ? usual->front() : Json(1);
        values = proposedNumbers(one, limit(field.minimum), limit(field.maximum));
    }
    toggle(key, values);
}

Json SweepDesign::proposed(const std::string& key) const {
    const Json& project = m_session.document().json();
    if (key == "deployment") {
        Json names = Json::array();
        for (const QString& name : m_session.deployments()) names.push_back(name.toStdString());
        return names;
    }
    if (const Json* parameter = find(project, Pointer("/parameters") / key)) {
        const auto part = [parameter](const char* name) {
            return member(*parameter, name) ? *member(*parameter, name) : Json();
        };
        return proposedNumbers(part("value"), part("minimum"), part("maximum"));
    }
    if (const Json& cases = casesOf(project, key); !cases.empty()) {
        Json names = Json::array();
        for (const auto& one : cases.items()) names.push_back(one.key());
        return names;
    }
    const Catalog& catalog = m_session.scene().catalog();
    const auto deployment = deploymentPointer(project, m_session.deployment().toStdString());
    const std::string scheduler = deployment ? text(find(project, *deployment / "scheduler")) : kOwnDeployment;
    if (key == "scheduler") {
        const auto other =
            std::find_if(catalog.schedulers().begin(), catalog.schedulers().end(),
                         [&scheduler](const SchedulerType& one) { return one.id != scheduler && one.runtime.empty(); });
        return other == catalog.schedulers().end() ? Json::array({scheduler}) : Json::array({scheduler, other->id});
    }
    const SchedulerType* of = catalog.scheduler(scheduler);
    if (key == "wait") return of && !of->waitPolicies.empty() ? Json(of->waitPolicies) : Json::array({"park"});
    if (key == "target" && of && !of->targets.empty()) return of->targets;
    if (key == "buffer_bytes") return {16384, 65536};
    const Json usual = usualValues(project, key);
    return usual.is_null() ? proposedNumbers(Json(1), {}, {}) : usual;
}

void SweepDesign::vary(const QString& key) {
    if (isVaried(key.toStdString())) return;
    toggle(key.toStdString(), proposed(key.toStdString()));
    emit valuesWanted(m_axes.rowCount() - 1);
}

void SweepDesign::unvary(int axis) {
    if (axis >= 0 && axis < m_axes.rowCount())
        toggle(m_axes.rows()[static_cast<std::size_t>(axis)].key.toStdString(), {});
}

void SweepDesign::toggleParameter(const QString& name) { toggle(name.toStdString(), proposed(name.toStdString())); }

void SweepDesign::toggleDeployment() { toggle("deployment", proposed("deployment")); }

} // namespace weir::editor
