// Reasons for the outcome of a run, as `reasons` of results.json has them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/reason_codes.hpp"

namespace weir {

struct Reason {
    ReasonCode code;
    std::string message;
};

constexpr const ReasonSpec& spec_of(ReasonCode code) { return kReasons[static_cast<std::size_t>(code)]; }

std::string_view name_of(RunStatus status);

/// Return the worst status that any of `reasons` imposes.
RunStatus status_of(const std::vector<Reason>& reasons);

}  // namespace weir
