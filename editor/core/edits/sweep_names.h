#pragma once

#include "core/document/patch.h"

#include <string>

namespace weir::editor {

/// Renames in sweeps: an axis in `vary`, `quick`, `loads`, conditions, and all of `plot`.
void renameAxis(Transaction& transaction, const std::string& from, const std::string& to);
/// A deployment in `vary`, `quick`, `items`, `loads`, and what a plot holds against.
void renameContender(Transaction& transaction, const std::string& from, const std::string& to);

/// Removes a name from one sweep, with its conditions and lines, and the sweep with its last axis.
void removeAxis(Transaction& transaction, std::size_t sweep, const std::string& axis);
/// Return whether the values of the parameter are shares of a load, which are an axis, too.
bool isOfLoads(const Json& project, std::size_t sweep, const std::string& parameter);
/// One sweep says nothing more of values that an axis of it has lost.
void forgetValues(Transaction& transaction, std::size_t sweep, const std::string& axis);
/// No sweep says anything more of a parameter of the project that has gone, or of a deployment.
void forgetParameter(Transaction& transaction, const std::string& name);
void forgetContender(Transaction& transaction, const std::string& name);

} // namespace weir::editor
