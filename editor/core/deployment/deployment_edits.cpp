#include "core/deployment/deployment_edits.h"

#include "core/deployment/mapping_edits.h"
#include "core/document/project_places.h"
#include "core/document/sweep_axes.h"
#include "core/edits/project_edits.h"
#include "core/edits/sweep_names.h"

#include <algorithm>

namespace weir::editor {
namespace {

Pointer placeOf(const Transaction& transaction, const std::string& name) {
    const auto place = deploymentPointer(transaction.json(), name);
    if (!place) throw EditRefused("deployment " + name + " does not exist");
    return *place;
}

} // namespace

bool isValidLabel(const std::string& name) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), allowed);
}

std::string freeDeploymentName(const Json& project, const std::string& wanted) {
    // Leave room for the number within the 64 characters.
    const std::string stem = wanted.substr(0, 58);
    std::string name = stem;
    for (int number = 2; deploymentPointer(project, name); ++number) name = stem + "_" + std::to_string(number);
    return name;
}

void addDeployment(Transaction& transaction, const std::string& name, const std::string& scheduler) {
    transaction.append(kDeployments, {{"name", name}, {"scheduler", scheduler}});
}

void duplicateDeployment(Transaction& transaction, const std::string& name, const std::string& copy) {
    const Pointer original = placeOf(transaction, name);
    followInsertion(transaction, kDeployments, std::stoul(original.back()) + 1);
    Json deployments = Json::array();
    for (const Json& deployment : list(find(transaction.json(), kDeployments))) {
        deployments.push_back(deployment);
        if (&deployment == find(transaction.json(), original)) {
            deployments.push_back(deployment);
            deployments.back()["name"] = copy;
        }
    }
    transaction.set(kDeployments, std::move(deployments));
}

void renameDeployment(Transaction& transaction, const std::string& from, const std::string& to) {
    transaction.set(placeOf(transaction, from) / "name", to);
    renameContender(transaction, from, to);
}

void removeDeployment(Transaction& transaction, const std::string& name) {
    const Pointer place = placeOf(transaction, name);
    transaction.remove(place);
    followRemoval(transaction, kDeployments, std::stoul(place.back()));
    forgetContender(transaction, name);
}

void chooseScheduler(Transaction& transaction, const std::string& deployment, const SchedulerType& scheduler,
                     const SchedulerType* before) {
    const Pointer place = placeOf(transaction, deployment);
    transaction.set(place / "scheduler", scheduler.id);
    const auto removeUnknown = [&](const char* key, const std::vector<std::string>& known) {
        const Json* value = find(transaction.json(), place / key);
        if (value && !known.empty() && std::find(known.begin(), known.end(), text(value)) == known.end())
            transaction.remove(place / key);
    };
    removeUnknown("target", scheduler.targets);
    removeUnknown("wait", scheduler.waitPolicies);
    if (!scheduler.workers.empty() && scheduler.workers != "chosen") transaction.remove(place / "workers");
    if (!scheduler.placement && find(transaction.json(), place / "placement")) {
        transaction.remove(place / "placement");
        keepNumberedWorkers(transaction, place, scheduler.workers == "one");
    }
    const auto stays = [&](const std::string& key, const Json& value) {
        if (key.rfind("x_", 0) == 0) return true;
        const ParameterType* old = before ? before->parameter(key) : nullptr;
        return scheduler.parameter(key) && !(old && !old->isRequired() && old->defaultValue == value);
    };
    const Json given = object(find(transaction.json(), place / "parameters"));
    Json kept = Json::object();
    for (const auto& item : given.items())
        if (stays(item.key(), item.value())) kept[item.key()] = item.value();
    if (kept.empty()) transaction.remove(place / "parameters");
    else if (kept != given) transaction.set(place / "parameters", std::move(kept));
}

} // namespace weir::editor
