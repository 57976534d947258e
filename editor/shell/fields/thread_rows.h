#pragma once

#include "parameter_model.h"

#include <string>
#include <vector>

namespace weir::editor {

/// How the kernel runs the threads of the deployment at `deployment`: policy, priority, timer slack, and the three times of
/// the policy deadline where that holds, or where they are there all the same.
std::vector<ParameterRow> threadRows(const Json& project, const Pointer& deployment);
/// The same of one worker, or of the worker that has a block. A policy of its own comes with its own priority and times; what
/// else nothing is said of is as for all. `whose` is in the names of the rows: `worker:policy`.
std::vector<ParameterRow> threadRowsOf(const Json& project, const Pointer& deployment, const std::string& name,
                                       const char* whose);
/// `fifo 80 · slack 1 µs`: what the file says of this worker or block; empty where it says nothing.
QString threadText(const Json& project, const Pointer& deployment, const std::string& name);

}  // namespace weir::editor
