#pragma once

#include "core/document/patch.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

std::string freeSweepName(const Json& project, const std::string& wanted);
/// Return what a new sweep of the project varies: its deployments, else its first parameter, else the chunk.
std::pair<std::string, Json> firstAxis(const Json& project);

// Edits. They throw EditRefused if the file's structure does not allow them.
/// Adds a sweep with its first axis, since the file allows none without an axis.
void addSweep(Transaction& transaction, const std::string& name, const std::string& axis, Json values);
void setAxis(Transaction& transaction, std::size_t sweep, const std::string& axis, Json values);
/// Sets the parameter to shares of the rate that a deployment sustains, instead of fixed values: the deployment `of`,
/// or each deployment itself if `of` is empty.
void setLoads(Transaction& transaction, std::size_t sweep, const std::string& parameter, Json shares,
              const std::string& of);

/// Return the axes of a sweep from its sweep.json; a parameter with shares of a load is an axis, too.
std::vector<std::string> axesIn(const Json& state);
/// Copies the settings of a measured point to the project. `measured`: the project of one of its runs; `axes`: what the
/// sweep varied; `deployment`: the one that ran. Parameters and run settings are overwritten, and a missing deployment
/// is added. Returns the deployment's name in the project.
std::string useSettings(Transaction& transaction, const Json& measured, const std::vector<std::string>& axes,
                        const std::string& deployment);

}  // namespace weir::editor
