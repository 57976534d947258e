#pragma once

#include "shell/fields/parameter_model.h"

#include <string>
#include <vector>

namespace weir::editor {

/// A field for the value at `place` of a project, as the schema describes it. `usual`: what holds where the file says
/// nothing; null: what the schema says.
ParameterRow schemaRow(const Json& project, const Pointer& place, const Json* usual = nullptr);

/// The fields of `form` for the object at `place`, in the order of the schema. Those that mean nothing yet are left out:
/// how an isolation is done while there is none, or a runtime where the policy is not `deadline`. `usual`: what holds
/// where the file says nothing, by key.
std::vector<ParameterRow> formRows(const Json& project, const Pointer& place, const std::string& form,
                                   const Json& usual = {});

/// Return the thread settings of one worker, or of the worker that has a block, by its `name` in the deployment at
/// `deployment`. A worker with its own policy has its own priority and times; its other settings are those of all
/// workers. `whose` is in the names of the rows: `worker:policy`.
std::vector<ParameterRow> threadRowsOf(const Json& project, const Pointer& deployment, const std::string& name,
                                       const char* whose);
/// `fifo 80 · slack 1 µs`: what the file says of this worker or block; empty where it says nothing.
QString threadText(const Json& project, const Pointer& deployment, const std::string& name);

}  // namespace weir::editor
