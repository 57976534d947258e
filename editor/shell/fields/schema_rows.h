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

}  // namespace weir::editor
