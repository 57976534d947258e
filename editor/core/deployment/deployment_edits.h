#pragma once

#include "patch.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Deployments have labels: a-z, 0-9, _ and -, at most 64 of them.
bool isValidLabel(const std::string &name);
std::string freeDeploymentName(const Json &project, const std::string &wanted);

// Edits. They throw EditRefused where the shape of the file does not allow them.
void addDeployment(Transaction &transaction, const std::string &name, const std::string &scheduler);
/// The copy stands behind its original.
void duplicateDeployment(Transaction &transaction, const std::string &name, const std::string &copy);
/// Sweeps that vary the deployment follow.
void renameDeployment(Transaction &transaction, const std::string &from, const std::string &to);
void removeDeployment(Transaction &transaction, const std::string &name);
/// Another scheduler: parameters that the new one does not have would be errors, so they go, and so does a target that
/// cannot run it, where it is known which can.
void chooseScheduler(Transaction &transaction, const std::string &deployment, const std::string &scheduler,
                     const std::vector<std::string> &parameters, const std::vector<std::string> &targets = {});

} // namespace weir::editor
