#pragma once

#include "core/document/patch.h"

#include <string>

namespace weir::editor {

/// Renames an axis in all sweeps: in `vary`, `quick`, `loads`, conditions, and all of `plot`.
void renameAxis(Transaction& transaction, const std::string& from, const std::string& to);
/// Renames a deployment in all sweeps: in `vary`, `quick`, `items`, `loads`, and in comparisons of a plot.
void renameContender(Transaction& transaction, const std::string& from, const std::string& to);

/// Removes a name from one sweep, with its conditions and lines; removes the sweep with its last axis.
void removeAxis(Transaction& transaction, std::size_t sweep, const std::string& axis);
/// Return whether the parameter's values are shares of a load, which are an axis, too.
bool isOfLoads(const Json& project, std::size_t sweep, const std::string& parameter);
/// Removes references in one sweep to values that its axis no longer has.
void forgetValues(Transaction& transaction, std::size_t sweep, const std::string& axis);
/// Removes references in all sweeps to a removed project parameter, or deployment.
void forgetParameter(Transaction& transaction, const std::string& name);
void forgetContender(Transaction& transaction, const std::string& name);

} // namespace weir::editor
