#pragma once

#include "core/catalog/catalog.h"
#include "core/document/patch.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Deployment that a project without deployments runs with, and its scheduler.
inline constexpr char kOwnDeployment[] = "single_thread";

/// Deployments have labels: a-z, 0-9, _ and -, at most 64 of them.
bool isValidLabel(const std::string& name);
std::string freeDeploymentName(const Json& project, const std::string& wanted);

// Edits. They throw EditRefused where the shape of the file does not allow them.
void addDeployment(Transaction& transaction, const std::string& name, const std::string& scheduler);
/// The copy stands behind its original.
void duplicateDeployment(Transaction& transaction, const std::string& name, const std::string& copy);
/// Sweeps that vary the deployment follow.
void renameDeployment(Transaction& transaction, const std::string& from, const std::string& to);
void removeDeployment(Transaction& transaction, const std::string& name);
/// Another scheduler. What the new one does not have or know would be an error, so it goes: parameters, a number of workers, a
/// way of waiting, a target that cannot run it. A value that is the default of the scheduler `before`, null where that is not
/// known, follows to the new one's default; others stay.
void chooseScheduler(Transaction& transaction, const std::string& deployment, const SchedulerType& scheduler,
                     const SchedulerType* before = nullptr);

}  // namespace weir::editor
