// Fields of results.json about requested and granted settings, and about the machine.
#pragma once

#include "results_fields.hpp"

namespace weir {

fields::Priority scheduling_fields(const Scheduling& scheduling);
fields::Planned planned_fields(const Results& results);
fields::Granted granted_fields(const Results& results);
fields::Environment environment_fields(const Results& results);
std::optional<fields::SpeedCheck> speed_check_fields(const std::optional<SpeedCheckResult>& speed_check);
std::optional<fields::Clocks> clock_fields(const std::optional<ClockSpan>& clocks);
std::optional<fields::CpuCounters> cpu_counter_fields(const std::optional<CpuCounts>& counts);
std::optional<fields::Energy> energy_fields(const Results& results);
std::optional<fields::Volk> volk_fields(const std::optional<KernelsChosen>& chosen);

/// Return the CPU number; absent if it is unknown.
std::optional<std::uint64_t> cpu_number(int cpu);

}  // namespace weir
