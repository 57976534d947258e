#pragma once

#include "core/document/patch.h"

#include <string>

namespace weir::editor {

/// What sweeps call by a name follows it: an axis in `vary`, `quick`, `loads`, conditions, and all of `plot`.
void renameAxis(Transaction& transaction, const std::string& from, const std::string& to);
/// A deployment in `vary`, `quick`, `items`, `loads`, and what a plot holds against.
void renameContender(Transaction& transaction, const std::string& from, const std::string& to);

/// Of one sweep: conditions and lines that are made with it go, too, and the sweep with its last axis.
void removeAxis(Transaction& transaction, std::size_t sweep, const std::string& axis);
/// Whether the parameter has shares of a load as its values, which are an axis, too.
bool isOfLoads(const Json& project, std::size_t sweep, const std::string& parameter);
/// One sweep says nothing more of values that an axis of it has lost.
void forgetValues(Transaction& transaction, std::size_t sweep, const std::string& axis);
/// No sweep says anything more of a parameter of the project that has gone, or of a deployment.
void forgetParameter(Transaction& transaction, const std::string& name);
void forgetContender(Transaction& transaction, const std::string& name);

} // namespace weir::editor
