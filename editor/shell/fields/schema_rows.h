#pragma once

#include "shell/fields/parameter_model.h"

#include <string>
#include <vector>

namespace weir::editor {

/// Return a field for the value at `place` of a project, from the schema. `usual`: value in effect if the file has
/// none; null: as in the schema.
ParameterRow schemaRow(const Json& project, const Pointer& place, const Json* usual = nullptr);

/// Return the fields of `form` for the object at `place`, in the schema's order. Leaves out fields without effect:
/// isolation details without isolation, or a runtime without the policy `deadline`. `usual`: values in effect if the
/// file has none, by key.
std::vector<ParameterRow> formRows(const Json& project, const Pointer& place, const std::string& form,
                                   const Json& usual = {});

/// Return the thread settings of one worker, or of the worker of one block, by its `name` in the deployment at
/// `deployment`. A worker with its own policy has its own priority and times, and inherits the other settings. `whose`
/// is part of the rows' names: `worker:policy`.
std::vector<ParameterRow> threadRowsOf(const Json& project, const Pointer& deployment, const std::string& name,
                                       const char* whose);
/// Return the file's settings of this worker or block, `fifo 80 · slack 1 µs`; empty if there are none.
QString threadText(const Json& project, const Pointer& deployment, const std::string& name);

}  // namespace weir::editor
