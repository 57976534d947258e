#pragma once

#include "core/document/patch.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::editor {

std::string freeSweepName(const Json& project, const std::string& wanted);
/// Return what a new sweep of the project varies: its deployments, else its first parameter, else the chunk.
std::pair<std::string, Json> firstAxis(const Json& project);

// Edits. They throw EditRefused where the shape of the file does not allow them.
/// A sweep has an axis at least: the file takes none without.
void addSweep(Transaction& transaction, const std::string& name, const std::string& axis, Json values);
void setAxis(Transaction& transaction, std::size_t sweep, const std::string& axis, Json values);
/// The parameter has shares of what a contender sustains instead of values of its own: of what `of` does, or of what each
/// does itself where that is empty.
void setLoads(Transaction& transaction, std::size_t sweep, const std::string& parameter, Json shares,
              const std::string& of);

/// Return the axes of a sweep, by its sweep.json: shares of a load are values of a parameter.
std::vector<std::string> axesIn(const Json& state);
/// Takes what a point was measured with into the project: `measured` is the project of one of its runs, `axes` what the sweep
/// varied, `deployment` the one that was run. Parameters and settings of the run become the project's; a deployment that
/// the project does not have yet is added. Returns what the deployment is called.
std::string useSettings(Transaction& transaction, const Json& measured, const std::vector<std::string>& axes,
                        const std::string& deployment);

}  // namespace weir::editor
