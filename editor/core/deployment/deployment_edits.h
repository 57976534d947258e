#pragma once

#include "core/catalog/catalog.h"
#include "core/document/patch.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Deployment of a project without deployments, and its scheduler.
inline constexpr char kOwnDeployment[] = "single_thread";

/// A label has 1 to 64 characters of a-z, 0-9, _ and -.
bool isValidLabel(const std::string& name);
std::string freeDeploymentName(const Json& project, const std::string& wanted);

// Edits. They throw EditRefused if the file's structure does not allow them.
void addDeployment(Transaction& transaction, const std::string& name, const std::string& scheduler);
/// Inserts the copy behind the original.
void duplicateDeployment(Transaction& transaction, const std::string& name, const std::string& copy);
/// Renames it in sweeps that vary the deployment, too.
void renameDeployment(Transaction& transaction, const std::string& from, const std::string& to);
void removeDeployment(Transaction& transaction, const std::string& name);
/// Changes the scheduler and removes settings that would then be errors: unknown parameters, a number of workers, a way
/// of waiting, a target that cannot run it. A value equal to the default of `before` changes to the new default; others
/// stay. `before` is null if unknown.
void chooseScheduler(Transaction& transaction, const std::string& deployment, const SchedulerType& scheduler,
                     const SchedulerType* before = nullptr);

}  // namespace weir::editor
