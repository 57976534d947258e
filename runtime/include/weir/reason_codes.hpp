// Reasons that a program gives for how its run ended. Generated from codegen/weir/codes.py by
// codegen/make_results.py; do not edit.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

/// Statuses in ascending severity: the worst of a run's reasons is its status.
enum class RunStatus : std::uint8_t { ok, invalid, partial, timeout, failed };

constexpr std::string_view kStatusNames[] = {"ok", "invalid", "partial", "timeout", "failed"};

enum class ReasonCode : std::uint8_t {
    N_TRACE_IN_MEMORY,
    N_CPU_COUNTERS,
    N_REALTIME_THROTTLED,
    N_SHORT_WINDOW,
    N_EARLY_WINDOW,
    W_NO_WINDOW,
    W_MACHINE_SLOWED,
    W_DISTURBED,
    W_OVERLOADED,
    W_WALL_CLOCK_SET,
    W_VERIFIED_BY_ITSELF,
    W_NOT_GRANTED,
    E_NOT_GRANTED,
    E_COUNT,
    E_DISCARDED,
    E_CLOCK_JUMPED,
    E_SUSPENDED,
    E_CLOCK_SOURCE,
    E_VERIFY,
    E_INTERRUPTED,
    E_TIMEOUT,
    E_STALLED,
    E_WORKERS_STUCK,
    E_BLOCK,
};

struct ReasonSpec {
    std::string_view name;
    RunStatus status;  ///< what it makes of the run; `ok`: a note or a warning
};

/// Reasons, indexed by ReasonCode.
constexpr ReasonSpec kReasons[] = {
    {"N_TRACE_IN_MEMORY", RunStatus::ok},
    {"N_CPU_COUNTERS", RunStatus::ok},
    {"N_REALTIME_THROTTLED", RunStatus::ok},
    {"N_SHORT_WINDOW", RunStatus::ok},
    {"N_EARLY_WINDOW", RunStatus::ok},
    {"W_NO_WINDOW", RunStatus::ok},
    {"W_MACHINE_SLOWED", RunStatus::ok},
    {"W_DISTURBED", RunStatus::ok},
    {"W_OVERLOADED", RunStatus::ok},
    {"W_WALL_CLOCK_SET", RunStatus::ok},
    {"W_VERIFIED_BY_ITSELF", RunStatus::ok},
    {"W_NOT_GRANTED", RunStatus::ok},
    {"E_NOT_GRANTED", RunStatus::invalid},
    {"E_COUNT", RunStatus::invalid},
    {"E_DISCARDED", RunStatus::invalid},
    {"E_CLOCK_JUMPED", RunStatus::invalid},
    {"E_SUSPENDED", RunStatus::invalid},
    {"E_CLOCK_SOURCE", RunStatus::invalid},
    {"E_VERIFY", RunStatus::invalid},
    {"E_INTERRUPTED", RunStatus::partial},
    {"E_TIMEOUT", RunStatus::timeout},
    {"E_STALLED", RunStatus::timeout},
    {"E_WORKERS_STUCK", RunStatus::failed},
    {"E_BLOCK", RunStatus::failed},
};

}  // namespace weir
