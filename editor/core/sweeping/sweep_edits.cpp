#include "core/sweeping/sweep_edits.h"

#include "core/deployment/deployment_edits.h"
#include "core/document/project_places.h"
#include "core/document/project_schema.h"
#include "core/document/sweep_axes.h"
#include "core/edits/sweep_names.h"
#include "core/sweeping/sweep_values.h"
#include "core/text/texts.h"

#include <algorithm>

namespace weir::editor {
namespace {

/// Return a deployment without its name, as unordered JSON: the order of keys does not matter.
nlohmann::json settingsOf(Json deployment) {
    if (deployment.is_object()) deployment.erase("name");
    return nlohmann::json::parse(deployment.dump());
}

/// Return the project's deployment with the same settings, preferably the one with the same name.
std::optional<std::string> alikeIn(const Json& project, const Json& deployment) {
    std::optional<std::string> found;
    for (const Json& own : list(find(project, kDeployments)))
        if (const std::string name = text(member(own, "name")); settingsOf(own) == settingsOf(deployment))
            found = !found || name == text(member(deployment, "name")) ? name : found;
    return found;
}

} // namespace

std::string freeSweepName(const Json& project, const std::string& wanted) {
    const Json& sweeps = list(find(project, kSweeps));
    const auto isTaken = [&sweeps](const std::string& name) {
        return std::any_of(sweeps.begin(), sweeps.end(),
                           [&name](const Json& sweep) { return text(member(sweep, "name")) == name; });
    };
    std::string name = wanted;
    for (int number = 2; isTaken(name); ++number) name = wanted + "_" + std::to_string(number);
    return name;
}

std::pair<std::string, Json> firstAxis(const Json& project) {
    Json names = Json::array();
    for (const Json& deployment : list(find(project, kDeployments)))
        if (const std::string name = text(member(deployment, "name")); !name.empty()) names.push_back(name);
    if (!names.empty()) return {"deployment", names};
    for (const auto& [name, parameter] : object(find(project, Pointer("/parameters"))).items())
        if (const Json* value = member(parameter, "value")) {
            const auto limit = [&parameter = parameter](const char* key) {
                return member(parameter, key) ? *member(parameter, key) : Json();
            };
            return {name, proposedNumbers(*value, limit("minimum"), limit("maximum"))};
        }
    return {"chunk_items", proposedAt(kDeployments / 0 / "chunk_items")};
}

void addSweep(Transaction& transaction, const std::string& name, const std::string& axis, Json values) {
    transaction.append(kSweeps, {{"name", name}, {"vary", {{axis, std::move(values)}}}});
}

void setAxis(Transaction& transaction, std::size_t sweep, const std::string& axis, Json values) {
    if (isOfLoads(transaction.json(), sweep, axis)) transaction.remove(kSweeps / sweep / "loads");
    transaction.set(kSweeps / sweep / "vary" / axis, std::move(values));
    forgetValues(transaction, sweep, axis);
}

void setLoads(Transaction& transaction, std::size_t sweep, const std::string& parameter, Json shares,
              const std::string& of) {
    const Json& axes = object(find(transaction.json(), kSweeps / sweep / "vary"));
    if (axes.contains(parameter)) {
        if (axes.size() == 1)
            throw EditRefused(
                SweepText::tr("Shares of a load need another varied field, such as the deployment").toStdString());
        removeAxis(transaction, sweep, parameter);
    }
    const Pointer at = kSweeps / sweep / "loads";
    Json loads{{"parameter", parameter}};
    if (!of.empty()) loads["of"] = of;
    loads["shares"] = std::move(shares);
    if (isOfLoads(transaction.json(), sweep, parameter))
        for (const auto& [key, value] : object(find(transaction.json(), at)).items())
            if (key != "of" && !loads.contains(key)) loads[key] = value; // keeps its rules of lateness
    transaction.set(at, std::move(loads));
}

std::vector<std::string> axesIn(const Json& state) {
    const Json* loads = member(state, "loads");
    std::vector<std::string> axes;
    for (const Json& axis : list(member(state, "axes"))) {
        const std::string key = text(member(axis, "key"));
        axes.push_back(loads && key == "LOAD" ? text(member(*loads, "parameter")) : key);
    }
    return axes;
}

std::string useSettings(Transaction& transaction, const Json& measured, const std::vector<std::string>& axes,
                        const std::string& deployment) {
    const auto use = [&](const Pointer& place) {
        if (place.to_string().rfind(kDeployments.to_string() + "/", 0) == 0) return;  // the deployment brings it along
        const Json* value = find(measured, place);
        // Skip a setting whose place no longer exists, such as one of a removed block.
        const bool isThere =
            value && (place.to_string().rfind("/run/", 0) == 0 || find(transaction.json(), place.parent_pointer()));
        const Json* own = find(transaction.json(), place);
        if (isThere && !(own && *own == *value)) transaction.set(place, *value);
    };
    for (const std::string& axis : axes)
        for (const Pointer& place : placesOfAxis(measured, axis, 0)) use(place);
    const auto from = deploymentPointer(measured, deployment);
    if (!from) throw EditRefused("the run has no deployment " + deployment);
    Json settings = measured.at(*from);
    if (const auto own = alikeIn(transaction.json(), settings)) return *own;
    const std::string name = freeDeploymentName(transaction.json(), deployment + "_best");
    settings["name"] = name;
    transaction.append(kDeployments, std::move(settings));
    return name;
}

}  // namespace weir::editor
