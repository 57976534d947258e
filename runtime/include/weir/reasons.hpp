// Why a run ended as it did. The one list of the codes in `reasons` of results.json that a binary writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// In ascending severity: the worst of a run's reasons is its status.
enum class RunStatus : std::uint8_t { ok, invalid, partial, timeout, failed };

enum class ReasonCode : std::uint8_t {
    trace_in_memory,
    no_cpu_counters,
    realtime_throttled,
    short_window,
    no_window,
    machine_slowed,
    disturbed,
    overloaded,
    wall_clock_set,
    not_granted,
    verified_by_itself,
    requirement_not_granted,
    count_differs,
    boundaries_lost,
    events_discarded,
    negative_latency,
    clock_jumped,
    suspended,
    clock_source_changed,
    verification_differs,
    interrupted,
    timed_out,
    stalled,
    workers_stuck,
    block_failed,
};

struct ReasonSpec {
    ReasonCode code;
    std::string_view name;
    RunStatus status;  ///< what it makes of the run; `ok`: a note or a warning
};

/// N_ notes, W_ warns, E_ decides the status.
constexpr ReasonSpec kReasons[] = {
    {ReasonCode::trace_in_memory, "N_TRACE_IN_MEMORY", RunStatus::ok},
    {ReasonCode::no_cpu_counters, "N_CPU_COUNTERS", RunStatus::ok},
    {ReasonCode::realtime_throttled, "N_REALTIME_THROTTLED", RunStatus::ok},
    {ReasonCode::short_window, "N_SHORT_WINDOW", RunStatus::ok},
    {ReasonCode::no_window, "W_NO_WINDOW", RunStatus::ok},
    {ReasonCode::machine_slowed, "W_MACHINE_SLOWED", RunStatus::ok},
    {ReasonCode::disturbed, "W_DISTURBED", RunStatus::ok},
    {ReasonCode::overloaded, "W_OVERLOADED", RunStatus::ok},
    {ReasonCode::wall_clock_set, "W_WALL_CLOCK_SET", RunStatus::ok},
    {ReasonCode::not_granted, "W_NOT_GRANTED", RunStatus::ok},
    {ReasonCode::verified_by_itself, "W_VERIFIED_BY_ITSELF", RunStatus::ok},
    {ReasonCode::requirement_not_granted, "E_NOT_GRANTED", RunStatus::invalid},
    {ReasonCode::count_differs, "E_COUNT", RunStatus::invalid},
    {ReasonCode::boundaries_lost, "E_LOST", RunStatus::invalid},
    {ReasonCode::events_discarded, "E_DISCARDED", RunStatus::invalid},
    {ReasonCode::negative_latency, "E_NEGATIVE_LATENCY", RunStatus::invalid},
    {ReasonCode::clock_jumped, "E_CLOCK_JUMPED", RunStatus::invalid},
    {ReasonCode::suspended, "E_SUSPENDED", RunStatus::invalid},
    {ReasonCode::clock_source_changed, "E_CLOCK_SOURCE", RunStatus::invalid},
    {ReasonCode::verification_differs, "E_VERIFY", RunStatus::invalid},
    {ReasonCode::interrupted, "E_INTERRUPTED", RunStatus::partial},
    {ReasonCode::timed_out, "E_TIMEOUT", RunStatus::timeout},
    {ReasonCode::stalled, "E_STALLED", RunStatus::timeout},
    {ReasonCode::workers_stuck, "E_WORKERS_STUCK", RunStatus::failed},
    {ReasonCode::block_failed, "E_BLOCK", RunStatus::failed},
};

struct Reason {
    ReasonCode code;
    std::string message;
};

constexpr const ReasonSpec& spec_of(ReasonCode code) { return kReasons[static_cast<std::size_t>(code)]; }

std::string_view name_of(RunStatus status);

/// The worst status that any of `reasons` imposes.
RunStatus status_of(const std::vector<Reason>& reasons);

}  // namespace weir
